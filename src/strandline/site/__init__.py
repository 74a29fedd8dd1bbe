"""Strandline without a server: the same table in a browser's worker, and a folder of files for any web host."""
