"""Adds views for people's own SQL: traces, threads, calls, counters, sums of latencies and functions."""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0019_read_views"
down_revision = "0018_baseline"
branch_labels = None
depends_on = None

READ_VIEWS = Path(__file__).parent.parent / "schema" / "read_views.sql"


def upgrade() -> None:
    for statement in statements(READ_VIEWS.read_text("utf-8")):
        execute_ddl(statement)
