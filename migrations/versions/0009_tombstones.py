"""Remembers which contents were deleted here, and how often a trace's file was not found.

A stored file that no trace has is taken in again, unless it has a tombstone: then it is what a crash in
the middle of a deletion left behind, and goes.
"""

from alembic import op

revision = "0009_tombstones"
down_revision = "0008_buffers"
branch_labels = None
depends_on = None

UP = """
CREATE TABLE tombstone (
    sha256     text PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE trace ADD COLUMN missing_count integer NOT NULL DEFAULT 0;
"""

DOWN = """
ALTER TABLE trace DROP COLUMN missing_count;
DROP TABLE tombstone;
"""


def upgrade() -> None:
    op.execute(UP)


def downgrade() -> None:
    op.execute(DOWN)
