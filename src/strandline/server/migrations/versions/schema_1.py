"""The first schema that had a number."""

revision = "1"
down_revision = None
