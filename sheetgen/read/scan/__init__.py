"""Photos and scans of finished sheets: found, straightened, and read box by box."""
