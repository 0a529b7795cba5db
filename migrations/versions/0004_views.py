"""Unnests blocks into one row per event and per slice, with names, for people and their SQL.

`t_ns` adds up the distances of a block inside a lateral subquery, so that a condition on the trace
is still used to find its blocks.
"""

from alembic import op

revision = "0004_views"
down_revision = "0003_jobs"
branch_labels = None
depends_on = None

EVENT = """
CREATE VIEW event AS
SELECT block.trace_key, trace.id AS trace, block.first_seq + record.n - 1 AS seq, record.t_ns,
       record.cpu, task.pid, task.comm, event_type.name AS event, record.flags, record.args
FROM event_block AS block
JOIN trace ON trace.key = block.trace_key
CROSS JOIN LATERAL (
    SELECT n, block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns, cpu, task, type, flags, args
    FROM unnest(block.dt, block.cpu, block.task, block.type, block.flags, block.args)
         WITH ORDINALITY AS record (dt, cpu, task, type, flags, args, n)
) AS record
JOIN event_type ON event_type.trace_key = block.trace_key AND event_type.idx = record.type
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
"""

SLICE = """
CREATE VIEW slice AS
SELECT block.trace_key, trace.id AS trace,
       CASE block.kind WHEN 1 THEN 'sched' WHEN 2 THEN 'irq' WHEN 3 THEN 'softirq' WHEN 4 THEN 'idle'
                       WHEN 5 THEN 'call' END AS kind,
       record.t_ns, record.duration_ns, coalesce(record.self_ns, record.duration_ns) AS self_ns,
       record.cpu, task.pid, task.comm, symbol.name, symbol.module, coalesce(record.depth, 0) AS depth,
       record.id, record.parent, coalesce(record.flags, 0) AS flags, record.args, record.retval
FROM slice_block AS block
JOIN trace ON trace.key = block.trace_key
CROSS JOIN LATERAL (
    SELECT block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns, duration_ns, self_ns, cpu, task, symbol, depth,
           id, parent, flags, args, retval
    FROM unnest(block.dt, block.duration_ns, block.self_ns, block.cpu, block.task, block.symbol,
                block.depth, block.id, block.parent, block.flags, block.args, block.retval)
         WITH ORDINALITY AS record (dt, duration_ns, self_ns, cpu, task, symbol, depth, id, parent,
                                    flags, args, retval, n)
) AS record
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
LEFT JOIN symbol ON symbol.trace_key = block.trace_key AND symbol.idx = record.symbol
"""


def upgrade() -> None:
    op.execute(EVENT)
    op.execute(SLICE)


def downgrade() -> None:
    op.execute("DROP VIEW slice, event")
