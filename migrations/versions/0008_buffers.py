"""Keeps which trace instance each event comes from.

Blocks that are there say nothing of it, which stands for the top buffer; their traces list no buffers.
What the columns mean is said in `backend/crates/ftrace/src/store/tables.rs`, as for 0001.
"""

from types import ModuleType

from alembic import op

from jitterscope.store.ddl import execute_ddl

revision = "0008_buffers"
down_revision = "0007_smaller_blocks"
branch_labels = None
depends_on = None

# The default fills the rows that are there without writing them; new rows say it themselves.
ADD_BUFFER = "ALTER TABLE event_block ADD COLUMN buffer smallint[] STORAGE EXTERNAL NOT NULL DEFAULT '{}'"

EVENT = """
CREATE VIEW event AS
SELECT block.trace_key, trace.id AS trace, block.first_seq + record.n - 1 AS seq, record.t_ns,
       record.cpu, task.pid, task.comm, event_type.name AS event, record.flags, record.args,
       trace.buffers -> record.buffer::integer ->> 'name' AS buffer
FROM event_block AS block
JOIN trace ON trace.key = block.trace_key
CROSS JOIN LATERAL (
    SELECT time.n, time.t_ns, context.cpu, context.task, context.flags, context.buffer, message.type,
           message.args
    FROM (
        SELECT n, block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns, context_idx, message_idx
        FROM unnest(block.dt, block.context_idx, block.message_idx)
             WITH ORDINALITY AS record (dt, context_idx, message_idx, n)
    ) AS time
    FULL JOIN unnest(block.cpu, block.task, block.flags, block.buffer)
              WITH ORDINALITY AS context (cpu, task, flags, buffer, n) ON context.n = time.context_idx + 1
    FULL JOIN unnest(block.type, block.args)
              WITH ORDINALITY AS message (type, args, n) ON message.n = time.message_idx + 1
    OFFSET 0
) AS record
LEFT JOIN event_type ON event_type.trace_key = block.trace_key AND event_type.idx = record.type
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
"""


def upgrade() -> None:
    op.execute("DROP VIEW event")
    execute_ddl(ADD_BUFFER)
    op.execute("ALTER TABLE event_block ALTER COLUMN buffer DROP DEFAULT")
    op.execute("ALTER TABLE trace ADD COLUMN buffers jsonb")
    op.execute(EVENT)


def downgrade() -> None:
    op.execute("DROP VIEW event")
    op.execute("ALTER TABLE trace DROP COLUMN buffers")
    op.execute("ALTER TABLE event_block DROP COLUMN buffer")
    op.execute(_earlier("0004_views").EVENT)


def _earlier(revision: str) -> ModuleType:
    script = op.get_context().script
    found = script.get_revision(revision) if script else None
    if found is None:
        raise RuntimeError(f"the revision {revision} is missing")
    return found.module
