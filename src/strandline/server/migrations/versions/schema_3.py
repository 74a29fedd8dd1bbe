"""Each table has the version of the dice with which it began, notices that may be on screens are noted, steps of
lessons are counted, and Alembic keeps the number of the schema."""

import json

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Note the version of the dice where schema 2 has not come from an older one."""
    connection = op.get_bind()
    there = {column["name"] for column in sa.inspect(connection).get_columns("tables")}
    if "dice_version" not in there:
        op.add_column("tables", sa.Column("dice_version", sa.Integer, nullable=False, server_default="2"))
    with op.batch_alter_table("tables") as tables:
        tables.alter_column("dice_version", existing_type=sa.Integer, existing_nullable=False, server_default=None)
    for id_, content in connection.execute(sa.text("SELECT id, content FROM archive")).all():
        rows = json.loads(content)
        for row in rows["tables"]:
            row.setdefault("dice_version", 2)
        new = {"id": id_, "content": json.dumps(rows)}
        connection.execute(sa.text("UPDATE archive SET content = :content WHERE id = :id"), new)
    op.create_table(
        "shown_notices",
        sa.Column("notice_id", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False, index=True),
        sa.Column("seat", sa.Integer, nullable=False),
    )
    op.create_table(
        "lesson_steps",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("lesson", sa.String(64), primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True),
        sa.Column("came", sa.String(16), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.drop_table("about")
