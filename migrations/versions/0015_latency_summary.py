"""Sums up the latencies of each trace, so that many traces are compared without reading their samples.

Traces that were loaded before have none until they are loaded again.
"""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0015_latency_summary"
down_revision = "0014_weights"
branch_labels = None
depends_on = None

LATENCY_SUMMARY = Path(__file__).parent.parent / "schema" / "latency_summary.sql"


def upgrade() -> None:
    for statement in statements(LATENCY_SUMMARY.read_text("utf-8")):
        execute_ddl(statement)
