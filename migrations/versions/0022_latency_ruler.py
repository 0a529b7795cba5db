"""Has the catalog draw the rulers of worst cases."""

from pathlib import Path

from jitterscope.store.ddl import execute_ddl, statements

revision = "0022_latency_ruler"
down_revision = "0021_worst_text"
branch_labels = None
depends_on = None

LATENCY_RULER = Path(__file__).parent.parent / "schema" / "latency_ruler.sql"


def upgrade() -> None:
    for statement in statements(LATENCY_RULER.read_text("utf-8")):
        execute_ddl(statement)
