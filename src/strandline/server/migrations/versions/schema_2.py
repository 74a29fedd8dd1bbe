"""Devices, clocks, open tables, notices and codes; dice with hash chains instead of salts.

What was rolled before stands in the games, but the salts are gone: `dice_version` says that no record can prove it.
"""

import json
import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Add what is new, and take the salts out."""
    _add_tables()
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("salt")
        tables.add_column(sa.Column("dice_version", sa.Integer, nullable=False, server_default="1"))
    with op.batch_alter_table("entries") as entries:
        entries.alter_column("salt", new_column_name="seed", existing_type=sa.Text, type_=sa.String(64))
    connection = op.get_bind()
    connection.execute(sa.text("UPDATE entries SET seed = ''"))
    key = {"secret": secrets.token_hex(32)}
    connection.execute(sa.text("INSERT INTO keys (name, secret) VALUES ('signing', :secret)"), key)
    for id_, content in connection.execute(sa.text("SELECT id, content FROM archive")).all():
        new = {"id": id_, "content": json.dumps(_without_salts(json.loads(content)))}
        connection.execute(sa.text("UPDATE archive SET content = :content WHERE id = :id"), new)


def _add_tables() -> None:
    """Stores of schema 1 were given most of these while it was the present one."""
    op.create_table(
        "keys",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "codes",
        sa.Column("code", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "agreements",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("clock", sa.Integer),
        sa.Column("quiet", sa.Boolean, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("due", sa.Float),
        if_not_exists=True,
    )
    op.create_index("ix_agreements_open", "agreements", ["open"], if_not_exists=True)
    op.create_index("ix_agreements_due", "agreements", ["due"], if_not_exists=True)
    op.create_table(
        "notices",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        if_not_exists=True,
    )
    op.create_index("ix_notices_table_id", "notices", ["table_id"], if_not_exists=True)


def _without_salts(content: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    for row in content["tables"]:
        del row["salt"]
        row["dice_version"] = 1
    for row in content["entries"]:
        del row["salt"]
        row["seed"] = ""
    return content
