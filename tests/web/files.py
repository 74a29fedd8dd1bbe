"""A plain file server, as any web host is one."""

import functools
import http.server
import threading
from dataclasses import dataclass
from pathlib import Path

PREFIX = "/people/family/games"
"""Any will do: a site stands wherever it is put."""


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder under the prefix, and nothing else."""

    def do_GET(self) -> None:
        if not self.path.startswith(f"{PREFIX}/"):
            self.send_error(404)
            return
        self.path = self.path.removeprefix(PREFIX)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@dataclass
class Host:
    """A web host that knows nothing but files."""

    folder: Path
    port: int = 0
    _server: http.server.ThreadingHTTPServer | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{PREFIX}/"

    def start(self) -> None:
        handler = functools.partial(Files, directory=str(self.folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
