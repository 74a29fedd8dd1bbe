"""Game Title."""
