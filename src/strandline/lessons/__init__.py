"""Lessons: a game learned by playing it. A lesson is data; one player plays them all, and knows no transport."""
