"""Lets the catalog of a hundred thousand traces be searched and sorted at once.

Searching looked at names, facts and labels one by one, and the longest case was worked out for every trace.
"""

from pathlib import Path

from alembic import op
from sqlalchemy import update

from jitterscope.store.ddl import execute_ddl, index_search, statements
from jitterscope.store.models import Trace
from jitterscope.store.traces import label_text
from jitterscope.store.worst_case import worst_duration_ns

revision = "0012_catalog"
down_revision = "0011_latency_tasks"
branch_labels = None
depends_on = None

CATALOG = Path(__file__).parent.parent / "schema" / "catalog.sql"


def upgrade() -> None:
    for statement in statements(CATALOG.read_text("utf-8")):
        execute_ddl(statement)
    op.execute(update(Trace.__table__).values(label_text=label_text(), worst_duration_ns=worst_duration_ns()))
    index_search()
