"""Moves what cannot be shown of a trace out of its row.

A search in a catalog of a hundred thousand traces reads their rows by the ten thousand; most bytes were this.
"""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

from jitterscope.store.ddl import execute_ddl, statements

revision = "0020_trace_missing"
down_revision = "0019_read_views"
branch_labels = None
depends_on = None

TRACE_MISSING = Path(__file__).parent.parent / "schema" / "trace_missing.sql"

_OF_TRACES = """
INSERT INTO trace_missing (trace_key, missing) SELECT key, missing FROM trace WHERE missing IS NOT NULL
"""


def upgrade() -> None:
    for statement in statements(TRACE_MISSING.read_text("utf-8")):
        execute_ddl(statement)
    # A schema that is made today never had the column.
    columns = sa.inspect(op.get_bind()).get_columns("trace")
    if any(column["name"] == "missing" for column in columns):
        op.execute(_OF_TRACES)
        op.drop_column("trace", "missing")
