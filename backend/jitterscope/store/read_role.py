"""What people may read with SQL of their own: the documented views, and nothing else."""

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncSession

from jitterscope.embedded.roles import READER

# The views run with the rights of their owner (`security_invoker` is off), so the reader needs none on the
# tables, which also hold labels, notes and jobs. They show all rows that are in them, so there is no row that
# a condition could spy out and no need for `security_barrier`, which would keep conditions from the blocks.
DOCUMENTED_VIEWS = (
    "recording",
    "event",
    "slice",
    "call",
    "counter_change",
    "thread",
    "latency",
    "latency_total",
    "latency_cause",
    "latency_stage",
    "worst_case",
    "function_total",
    "event_loss",
)


def grant_views(connection: Connection) -> None:
    """Lets the role `jitterscope_read` select from the documented views, if there is such a role.

    Run after every migration, because a view that is made anew has lost its grants, and because an
    administrator may have made the role since the last one. The embedded server always has it.
    """
    if not connection.scalar(text("SELECT count(*) FROM pg_roles WHERE rolname = :role"), {"role": READER}):
        return
    for view in DOCUMENTED_VIEWS:
        # A schema that was taken back to its beginning has no views.
        if connection.scalar(text("SELECT to_regclass(:view)"), {"view": view}) is not None:
            connection.execute(text(f"GRANT SELECT ON {view} TO {READER}"))


_COLUMNS = text(
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c "
    "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
    "WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY (:views) ORDER BY a.attnum"
)


async def documented_columns(session: AsyncSession) -> dict[str, list[tuple[str, str]]]:
    """Name and type of each column of each documented view, in the order of docs/sql.md."""
    found: dict[str, list[tuple[str, str]]] = {view: [] for view in DOCUMENTED_VIEWS}
    for view, name, kind in await session.execute(_COLUMNS, {"views": list(DOCUMENTED_VIEWS)}):
        found[view].append((name, kind))
    return found
