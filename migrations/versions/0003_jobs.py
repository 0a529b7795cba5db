"""The job queue, as the library that runs it lays it out."""

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0003_jobs"
down_revision = "0002_traces"
branch_labels = None
depends_on = None


DOWN = """
DROP TABLE procrastinate_events, procrastinate_periodic_defers, procrastinate_jobs CASCADE;
DROP TABLE procrastinate_workers CASCADE;
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE 'procrastinate\\_%' LOOP
        EXECUTE 'DROP FUNCTION IF EXISTS ' || name || ' CASCADE';
    END LOOP;
    FOR name IN SELECT oid::regtype FROM pg_type WHERE typname LIKE 'procrastinate\\_%' LOOP
        EXECUTE 'DROP TYPE IF EXISTS ' || name || ' CASCADE';
    END LOOP;
END
$$
"""


def upgrade() -> None:
    # The library ships its schema as one text. A later version of it that changes the schema ships
    # the difference too, and gets a revision of its own here.
    # The driver takes a single % for a placeholder.
    op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))


def downgrade() -> None:
    op.execute(DOWN)
