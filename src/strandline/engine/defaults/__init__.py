"""Defaults for what a game leaves out: a module for each part of its folder that may have gaps."""
