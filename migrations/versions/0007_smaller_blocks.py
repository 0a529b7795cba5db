"""Holds what samples of a block share once, and ids of calls as the places where they do not count up.

Blocks that are there stay as readable as new ones: each of their samples gets a context of its own.
What the columns mean is said in `backend/crates/ftrace/src/store/tables.rs`, as for 0001.
"""

from types import ModuleType

from alembic import op

from jitterscope.store.ddl import execute_ddl

revision = "0007_smaller_blocks"
down_revision = "0006_event_fields"
branch_labels = None
depends_on = None

SAMPLES = """
CREATE TABLE sample_block (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    block integer NOT NULL,
    t0 bigint NOT NULL,
    t1 bigint NOT NULL,
    count integer NOT NULL,
    max_ns bigint NOT NULL,
    dt integer[] STORAGE EXTERNAL NOT NULL,
    duration_ns integer[] STORAGE EXTERNAL NOT NULL,
    duration_excess_ns bigint[] STORAGE EXTERNAL NOT NULL,
    sleep_ns bigint[] STORAGE EXTERNAL NOT NULL,
    context_idx smallint[] STORAGE EXTERNAL NOT NULL,
    cpu smallint[] STORAGE EXTERNAL NOT NULL,
    start_cpu smallint[] STORAGE EXTERNAL NOT NULL,
    task integer[] STORAGE EXTERNAL NOT NULL,
    symbol integer[] STORAGE EXTERNAL NOT NULL,
    flags smallint[] STORAGE EXTERNAL NOT NULL,
    frequency_khz integer[] STORAGE EXTERNAL NOT NULL,
    idle_state smallint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, block)
)
"""

SLICES = """
CREATE TABLE slice_block (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    block integer NOT NULL,
    t0 bigint NOT NULL,
    t1 bigint NOT NULL,
    count integer NOT NULL,
    max_ns bigint NOT NULL,
    dt integer[] STORAGE EXTERNAL NOT NULL,
    duration_ns integer[] STORAGE EXTERNAL NOT NULL,
    duration_excess_ns bigint[] STORAGE EXTERNAL NOT NULL,
    self_ns integer[] STORAGE EXTERNAL NOT NULL,
    self_excess_ns bigint[] STORAGE EXTERNAL NOT NULL,
    id_at smallint[] STORAGE EXTERNAL NOT NULL,
    id_step integer[] STORAGE EXTERNAL NOT NULL,
    parent integer[] STORAGE EXTERNAL NOT NULL,
    context_idx smallint[] STORAGE EXTERNAL NOT NULL,
    cpu smallint[] STORAGE EXTERNAL NOT NULL,
    task integer[] STORAGE EXTERNAL NOT NULL,
    symbol integer[] STORAGE EXTERNAL NOT NULL,
    depth smallint[] STORAGE EXTERNAL NOT NULL,
    flags smallint[] STORAGE EXTERNAL NOT NULL,
    args text[] NOT NULL,
    retval text[] NOT NULL,
    PRIMARY KEY (trace_key, kind, block)
)
"""

# Of the largest time that an integer holds and of the rest, as the core splits them.
COPY_SAMPLES = """
INSERT INTO sample_block
SELECT trace_key, kind, block, t0, t1, count, max_ns, dt,
       ARRAY(SELECT least(ns, 2147483647)::integer
             FROM unnest(duration_ns) WITH ORDINALITY AS record (ns, n) ORDER BY n),
       ARRAY(SELECT greatest(ns - 2147483647, 0)
             FROM unnest(duration_ns) WITH ORDINALITY AS record (ns, n)
             WHERE max_ns > 2147483647 ORDER BY n),
       sleep_ns, ARRAY(SELECT (n - 1)::smallint FROM generate_series(1, count) AS n ORDER BY n),
       cpu, start_cpu, task, symbol, flags, frequency_khz, idle_state
FROM old_sample_block
"""

COPY_SLICES = """
INSERT INTO slice_block
SELECT trace_key, kind, block, t0, t1, count, max_ns, dt, duration_ns, duration_excess_ns, self_ns,
       self_excess_ns, step.at, step.step, parent, context_idx, cpu, task, symbol, depth, flags, args, retval
FROM old_slice_block
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg((n - 1)::smallint ORDER BY n), '{}') AS at,
           coalesce(array_agg(step ORDER BY n), '{}') AS step
    FROM (
        SELECT n, id - coalesce(lag(id) OVER (ORDER BY n), 0) AS step
        FROM unnest(id) WITH ORDINALITY AS record (id, n)
    ) AS steps
    WHERE n = 1 OR step <> 1
) AS step
"""

SLICE = """
CREATE VIEW slice AS
SELECT block.trace_key, trace.id AS trace,
       CASE block.kind WHEN 1 THEN 'sched' WHEN 2 THEN 'irq' WHEN 3 THEN 'softirq' WHEN 4 THEN 'idle'
                       WHEN 5 THEN 'call' WHEN 6 THEN 'irqsoff' WHEN 7 THEN 'preemptoff' WHEN 9 THEN 'noise'
                       END AS kind,
       record.t_ns, record.duration_ns, coalesce(record.self_ns, record.duration_ns) AS self_ns,
       record.cpu, task.pid, task.comm, symbol.name, symbol.module, record.depth, record.id, record.parent,
       record.flags, record.args, record.retval
FROM slice_block AS block
JOIN trace ON trace.key = block.trace_key
CROSS JOIN LATERAL (
    SELECT time.t_ns, time.duration_ns + coalesce(time.duration_excess_ns, 0) AS duration_ns,
           time.self_ns + coalesce(time.self_excess_ns, 0) AS self_ns,
           CASE WHEN cardinality(block.id_at) > 0 THEN time.id END AS id, time.parent, time.args,
           time.retval, context.cpu, context.task, context.symbol, context.depth, context.flags
    FROM (
        SELECT record.*, block.t0 + sum(dt) OVER (ORDER BY record.n) AS t_ns,
               (sum(coalesce(id_step, 1)) OVER (ORDER BY record.n))::integer AS id
        FROM unnest(block.dt, block.duration_ns, block.duration_excess_ns, block.self_ns,
                    block.self_excess_ns, block.parent, block.context_idx, block.args, block.retval)
             WITH ORDINALITY AS record (dt, duration_ns, duration_excess_ns, self_ns, self_excess_ns,
                                        parent, context_idx, args, retval, n)
        FULL JOIN unnest(block.id_at, block.id_step) AS step (id_at, id_step) ON step.id_at + 1 = record.n
    ) AS time
    FULL JOIN unnest(block.cpu, block.task, block.symbol, block.depth, block.flags)
              WITH ORDINALITY AS context (cpu, task, symbol, depth, flags, n)
              ON context.n = time.context_idx + 1
    OFFSET 0
) AS record
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
LEFT JOIN symbol ON symbol.trace_key = block.trace_key AND symbol.idx = record.symbol
"""

LATENCY = """
CREATE VIEW latency AS
SELECT block.trace_key, trace.id AS trace, latency_kind.name AS kind, record.t_ns, record.duration_ns,
       record.cpu, coalesce(record.start_cpu, record.cpu) AS start_cpu, task.pid, task.comm,
       symbol.name AS key, coalesce(record.flags, 0) AS flags, record.sleep_ns, record.frequency_khz,
       record.idle_state
FROM sample_block AS block
JOIN trace ON trace.key = block.trace_key
JOIN latency_kind ON latency_kind.trace_key = block.trace_key AND latency_kind.kind = block.kind
CROSS JOIN LATERAL (
    SELECT time.t_ns, time.duration_ns + coalesce(time.duration_excess_ns, 0) AS duration_ns, time.sleep_ns,
           context.cpu, context.start_cpu, context.task, context.symbol, context.flags,
           context.frequency_khz, context.idle_state
    FROM (
        SELECT record.*, block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns
        FROM unnest(block.dt, block.duration_ns, block.duration_excess_ns, block.sleep_ns, block.context_idx)
             WITH ORDINALITY AS record (dt, duration_ns, duration_excess_ns, sleep_ns, context_idx, n)
    ) AS time
    FULL JOIN unnest(block.cpu, block.start_cpu, block.task, block.symbol, block.flags, block.frequency_khz,
                     block.idle_state)
              WITH ORDINALITY AS context (cpu, start_cpu, task, symbol, flags, frequency_khz, idle_state, n)
              ON context.n = time.context_idx + 1
    OFFSET 0
) AS record
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
LEFT JOIN symbol ON symbol.trace_key = block.trace_key AND symbol.idx = record.symbol
"""

CONTEXT = ("cpu", "start_cpu", "task", "symbol", "flags", "frequency_khz", "idle_state")
# Back to one element a record, where there is any.
_PER_RECORD = """CASE WHEN cardinality({0}) > 0 THEN ARRAY(
           SELECT {0}[idx + 1] FROM unnest(context_idx) WITH ORDINALITY AS record (idx, n) ORDER BY n
       ) ELSE {0} END"""

RESTORE_SAMPLES = """
INSERT INTO sample_block
SELECT trace_key, kind, block, t0, t1, count, max_ns, dt,
       ARRAY(SELECT ns + coalesce(excess_ns, 0)
             FROM unnest(duration_ns, duration_excess_ns) WITH ORDINALITY AS record (ns, excess_ns, n)
             ORDER BY n),
       {cpu}, {start_cpu}, {task}, {symbol}, {flags}, sleep_ns, {frequency_khz}, {idle_state}
FROM old_sample_block
"""

RESTORE_SLICES = """
INSERT INTO slice_block
SELECT trace_key, kind, block, t0, t1, count, max_ns, dt, duration_ns, duration_excess_ns, self_ns,
       self_excess_ns, CASE WHEN cardinality(id_at) > 0 THEN ARRAY(
           SELECT (sum(coalesce(step, 1)) OVER (ORDER BY n))::integer
           FROM generate_series(1, count) AS n
           LEFT JOIN unnest(id_at, id_step) AS step (at, step) ON at + 1 = n ORDER BY n
       ) ELSE '{}' END, parent, context_idx, cpu, task, symbol, depth, flags, args, retval
FROM old_slice_block
"""

_RENAME = """
ALTER TABLE {0} RENAME TO old_{0};
ALTER INDEX {0}_pkey RENAME TO old_{0}_pkey;
"""


def upgrade() -> None:
    op.execute("DROP VIEW slice, latency")
    _replace("sample_block", SAMPLES, COPY_SAMPLES)
    _replace("slice_block", SLICES, COPY_SLICES)
    op.execute(SLICE)
    op.execute(LATENCY)


def downgrade() -> None:
    op.execute("DROP VIEW slice, latency")
    restore_samples = RESTORE_SAMPLES.format(**{column: _PER_RECORD.format(column) for column in CONTEXT})
    _replace("sample_block", _earlier_table("0005_latencies", "sample_block"), restore_samples)
    _replace("slice_block", _earlier_table("0001_blocks", "slice_block"), RESTORE_SLICES)
    op.execute(_earlier("0004_views").SLICE)
    op.execute(_earlier("0005_latencies").LATENCY)


def _replace(table: str, create: str, copy: str) -> None:
    op.execute(_RENAME.format(table))
    execute_ddl(create)
    op.execute(copy)
    op.execute(f"DROP TABLE old_{table}")


def _earlier_table(revision: str, table: str) -> str:
    tables: tuple[str, ...] = _earlier(revision).TABLES
    return next(statement for statement in tables if statement.split()[2] == table)


def _earlier(revision: str) -> ModuleType:
    script = op.get_context().script
    found = script.get_revision(revision) if script else None
    if found is None:
        raise RuntimeError(f"the revision {revision} is missing")
    return found.module
