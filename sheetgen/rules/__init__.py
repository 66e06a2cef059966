"""What a game allows and what it scores. Knows neither geometry nor files."""
