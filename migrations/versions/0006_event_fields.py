"""Creates the table of the fields of events that hold numbers.

What the columns mean is said in `backend/crates/ftrace/src/store/tables.rs`, as for 0001.
"""

from alembic import op

revision = "0006_event_fields"
down_revision = "0005_latencies"
branch_labels = None
depends_on = None

EVENT_FIELD = """
CREATE TABLE event_field (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    type smallint NOT NULL,
    name text NOT NULL,
    unit_ns bigint,
    unit_source text,
    is_sampled smallint NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
"""


def upgrade() -> None:
    op.execute(EVENT_FIELD)


def downgrade() -> None:
    op.execute("DROP TABLE event_field")
