"""Lets the catalog of a hundred thousand traces be searched and sorted at once.

Searching looked at names, facts and labels one by one, and the longest case was worked out for every trace.
"""

from pathlib import Path

from alembic import op
from sqlalchemy import update

from jitterscope.store.ddl import execute_ddl, statements
from jitterscope.store.models import Trace
from jitterscope.store.traces import label_text
from jitterscope.store.worst_case import worst_duration_ns

revision = "0012_catalog"
down_revision = "0011_latency_tasks"
branch_labels = None
depends_on = None

CATALOG = Path(__file__).parent.parent / "schema" / "catalog.sql"

# Finds parts of words by an index. PostgreSQL ships it, some distributions in a package of its own; without
# it every search reads all names.
_HAS_TRIGRAMS = "SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'"
_SCHEMA_OF_TRIGRAMS = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'pg_trgm'"


def upgrade() -> None:
    for statement in statements(CATALOG.read_text("utf-8")):
        execute_ddl(statement)
    op.execute(update(Trace.__table__).values(label_text=label_text(), worst_duration_ns=worst_duration_ns()))
    if op.get_bind().exec_driver_sql(_HAS_TRIGRAMS).first() is not None:
        # Its functions stay out of the schema whose objects are all ours, unless it is there already.
        op.execute("CREATE SCHEMA IF NOT EXISTS extensions")
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA extensions")
        schema = op.get_bind().exec_driver_sql(_SCHEMA_OF_TRIGRAMS).scalar_one()
        op.execute(
            f"CREATE INDEX IF NOT EXISTS trace_search ON trace USING gin (search_text {schema}.gin_trgm_ops)"
        )
