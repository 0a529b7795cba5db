"""The schema.

What the columns of a trace's content mean is documented in `backend/crates/ftrace/src/store/tables.rs`,
whose test compares these statements with its own. Every key of such a table begins with `trace_key`, and
no constraint crosses traces, so that the tables can be distributed by it.
"""

from pathlib import Path

from alembic import op
from procrastinate.schema import SchemaManager

from jitterscope.store.ddl import execute_ddl, statements

# The name of the last of the nine steps that this file replaces: a database that took them has this schema.
revision = "0009_tombstones"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = Path(__file__).parent.parent / "schema"


def upgrade() -> None:
    for name in ("traces", "names", "remarks", "blocks", "rollups", "latencies", "views", "slices"):
        for statement in statements((SCHEMA / f"{name}.sql").read_text("utf-8")):
            execute_ddl(statement)
    # The job queue's library ships its schema as one text. A version that changes it ships the difference
    # too, which gets a revision of its own. The driver takes a single % for a placeholder.
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
