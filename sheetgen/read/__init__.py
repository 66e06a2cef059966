"""Reading finished sheets back."""
