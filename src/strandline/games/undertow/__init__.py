"""Undertow, the beach game."""
