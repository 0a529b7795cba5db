"""Keeps comparisons that people gave a name."""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0017_experiment"
down_revision = "0015_latency_summary"
branch_labels = None
depends_on = None

EXPERIMENT = Path(__file__).parent.parent / "schema" / "experiment.sql"


def upgrade() -> None:
    for statement in statements(EXPERIMENT.read_text("utf-8")):
        execute_ddl(statement)
