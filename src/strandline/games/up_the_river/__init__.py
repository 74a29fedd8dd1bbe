"""Up the River."""
