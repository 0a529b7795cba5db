"""Keeps the worst latencies of each task, and the priority that it ran with.

Traces that were loaded before have neither until they are loaded again: their tasks are of no known class.
"""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0011_latency_tasks"
down_revision = "0010_slice_kinds"
branch_labels = None
depends_on = None

LATENCY_TASKS = Path(__file__).parent.parent / "schema" / "latency_tasks.sql"


def upgrade() -> None:
    for statement in statements(LATENCY_TASKS.read_text("utf-8")):
        execute_ddl(statement)
