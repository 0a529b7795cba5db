"""Keeps what took the time of all latencies of a kind, by how long they took.

Traces that were loaded before have none until they are loaded again.
"""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0013_latency_tail"
down_revision = "0012_catalog"
branch_labels = None
depends_on = None

LATENCY_TAIL = Path(__file__).parent.parent / "schema" / "latency_tail.sql"


def upgrade() -> None:
    for statement in statements(LATENCY_TAIL.read_text("utf-8")):
        execute_ddl(statement)
