"""Nim: the smallest game without chance and without options."""
