"""What people may read with SQL of their own: the documented views, and nothing else."""

from sqlalchemy import Connection, text

from jitterscope.embedded.roles import READER

# The views run with the rights of their owner (`security_invoker` is off), so the reader needs none on the
# tables, which also hold labels, notes and jobs. They show all rows that are in them, so there is no row that
# a condition could spy out and no need for `security_barrier`, which would keep conditions from the blocks.
DOCUMENTED_VIEWS = ("event", "slice", "latency")


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
