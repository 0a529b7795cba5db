"""Keeps baselines: traces that others are compared with."""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0018_baseline"
down_revision = "0017_experiment"
branch_labels = None
depends_on = None

BASELINE = Path(__file__).parent.parent / "schema" / "baseline.sql"


def upgrade() -> None:
    for statement in statements(BASELINE.read_text("utf-8")):
        execute_ddl(statement)
