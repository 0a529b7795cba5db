"""Has the catalog search the sentences that its rows show."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op
from sqlalchemy import update

from jitterscope.store.ddl import execute_ddl, index_search, statements
from jitterscope.store.models import Trace
from jitterscope.store.worst_case import worst_text

revision = "0021_worst_text"
down_revision = "0020_trace_missing"
branch_labels = None
depends_on = None

WORST_TEXT = Path(__file__).parent.parent / "schema" / "worst_text.sql"


def upgrade() -> None:
    # A schema that is made today has the column, in front of all that a search does not read.
    columns = {column["name"]: column for column in sa.inspect(op.get_bind()).get_columns("trace")}
    if "worst_text" in columns:
        return
    for statement in statements(WORST_TEXT.read_text("utf-8")):
        execute_ddl(statement)
    op.execute(update(Trace.__table__).values(worst_text=worst_text()))
    index_search()
