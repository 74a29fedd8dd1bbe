"""The game table online: seats, fair dice, records, storage, server."""
