"""Names the kinds of slices in a table, which every migration fills from the core's catalog.

The view `slice` held a list of its own before, and a new kind would have been NULL in it.
"""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0010_slice_kinds"
down_revision = "0009_tombstones"
branch_labels = None
depends_on = None

SLICES = Path(__file__).parent.parent / "schema" / "slices.sql"


def upgrade() -> None:
    for statement in statements(SLICES.read_text("utf-8")):
        execute_ddl(statement)
