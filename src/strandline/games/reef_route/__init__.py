"""Reef Route."""
