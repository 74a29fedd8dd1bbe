"""Balance studies: many games, what happened in them, and a report of it that can be looked at."""
