"""The server: FastAPI around the table, with its stores, limits and bots."""
