"""What a check came to, for people and for programs: text, HTML, JSON, CSV."""
