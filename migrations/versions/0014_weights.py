"""Lets a sample stand for several equal measurements, as a bar of a histogram does.

The samples of traces that were loaded before stand for one each.
"""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0014_weights"
down_revision = "0013_latency_tail"
branch_labels = None
depends_on = None

WEIGHTS = Path(__file__).parent.parent / "schema" / "weights.sql"


def upgrade() -> None:
    for statement in statements(WEIGHTS.read_text("utf-8")):
        execute_ddl(statement)
