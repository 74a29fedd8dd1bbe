"""The log: one line an event, as text or as JSON, with the time, and with table and request where there are any."""

import contextlib
import contextvars
import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

table: contextvars.ContextVar[str | None] = contextvars.ContextVar("table", default=None)
"""The table that is being served."""
request: contextvars.ContextVar[str | None] = contextvars.ContextVar("request", default=None)
"""The request or connection that is being served: a random name, which says nothing about who asks."""


@contextlib.contextmanager
def at(name: str) -> Iterator[None]:
    """What begins here concerns a table, and goes on when the request that it came from has long been answered."""
    before = table.set(name), request.set(None)
    try:
        yield
    finally:
        table.reset(before[0])
        request.reset(before[1])


class Lines(logging.Formatter):
    """Writes what happened as one line of text, or of JSON."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback follows in text, and is a field in JSON."""
        found = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "table": table.get(),
            "request": request.get(),
            "traceback": self.formatException(record.exc_info) if record.exc_info else None,
        }
        if self._as_json:
            return json.dumps({name: value for name, value in found.items() if value is not None}, ensure_ascii=False)
        where = "".join(f" [{name} {found[name]}]" for name in ("table", "request") if found[name])
        trace = f"\n{found['traceback']}" if found["traceback"] else ""
        return f"{found['time']} {found['level']} {found['message']}{where}{trace}"


def install(as_json: bool) -> None:
    """Send everything that a server says to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(as_json))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
