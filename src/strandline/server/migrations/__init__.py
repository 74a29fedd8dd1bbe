"""Older stores are brought to the present schema, by Alembic: one revision a schema, in `versions`.

A new store is made as `store.metadata` says, and a test shows that all revisions together lead to the same. Nobody who
opens a store that is up to date waits for Alembic.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

HERE = Path(__file__).parent


def upgrade(connection: sa.Connection, version: int) -> None:
    """Bring a store of that schema to the present one, within the transaction of the connection."""
    script = ScriptDirectory(str(HERE))

    def steps(revision: Any, _: MigrationContext) -> Any:
        return script._upgrade_revs("head", revision)

    context = MigrationContext.configure(connection, opts={"fn": steps, "script": script, "transactional_ddl": True})
    if not context.get_current_heads():  # schemas 1 and 2 kept their number elsewhere
        context.stamp(script, str(version))
    with Operations.context(context):
        context.run_migrations()
