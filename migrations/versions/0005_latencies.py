"""Creates the tables of latencies: samples in blocks, their sums, the worst ones explained, and what
takes the time of each CPU.

What the columns mean is said in `backend/crates/ftrace/src/store/tables.rs`, as for 0001.
"""

from alembic import op

from jitterscope.store.ddl import execute_ddl

revision = "0005_latencies"
down_revision = "0004_views"
branch_labels = None
depends_on = None

TABLES = (
    """
CREATE TABLE sample_block (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    block integer NOT NULL,
    t0 bigint NOT NULL,
    t1 bigint NOT NULL,
    count integer NOT NULL,
    max_ns bigint NOT NULL,
    dt integer[] STORAGE EXTERNAL NOT NULL,
    duration_ns bigint[] STORAGE EXTERNAL NOT NULL,
    cpu smallint[] STORAGE EXTERNAL NOT NULL,
    start_cpu smallint[] STORAGE EXTERNAL NOT NULL,
    task integer[] STORAGE EXTERNAL NOT NULL,
    symbol integer[] STORAGE EXTERNAL NOT NULL,
    flags smallint[] STORAGE EXTERNAL NOT NULL,
    sleep_ns bigint[] STORAGE EXTERNAL NOT NULL,
    frequency_khz integer[] STORAGE EXTERNAL NOT NULL,
    idle_state smallint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, block)
)
""",
    """
CREATE TABLE latency_kind (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL,
    min_ns bigint NOT NULL,
    max_ns bigint NOT NULL,
    total_ns bigint NOT NULL,
    log2_counts bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind)
)
""",
    """
CREATE TABLE latency_incomplete (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    reason text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (trace_key, kind, reason)
)
""",
    """
CREATE TABLE latency_case (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    rank integer NOT NULL,
    start_ns bigint NOT NULL,
    duration_ns bigint NOT NULL,
    cpu smallint NOT NULL,
    start_cpu smallint,
    task integer,
    symbol integer,
    flags smallint NOT NULL,
    sleep_ns bigint,
    frequency_khz integer,
    idle_state smallint,
    PRIMARY KEY (trace_key, kind, rank)
)
""",
    """
CREATE TABLE interference (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    cpu smallint NOT NULL,
    victim integer,
    cause smallint NOT NULL,
    symbol integer,
    task integer,
    count bigint NOT NULL,
    total_ns bigint NOT NULL,
    max_ns bigint NOT NULL,
    max_start_ns bigint NOT NULL,
    first_start_ns bigint NOT NULL,
    last_start_ns bigint NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
""",
    # Written when a trace is loaded, from what is read back of its blocks: the case's public name, its
    # sentence, and the list item that shows it, as JSON.
    """
CREATE TABLE latency_explanation (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    rank integer NOT NULL,
    id text NOT NULL,
    headline text NOT NULL,
    PRIMARY KEY (trace_key, kind, rank)
)
""",
)

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
    SELECT block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns, duration_ns, cpu, start_cpu, task, symbol, flags,
           sleep_ns, frequency_khz, idle_state
    FROM unnest(block.dt, block.duration_ns, block.cpu, block.start_cpu, block.task, block.symbol,
                block.flags, block.sleep_ns, block.frequency_khz, block.idle_state)
         WITH ORDINALITY AS record (dt, duration_ns, cpu, start_cpu, task, symbol, flags, sleep_ns,
                                    frequency_khz, idle_state, n)
) AS record
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
LEFT JOIN symbol ON symbol.trace_key = block.trace_key AND symbol.idx = record.symbol
"""


def upgrade() -> None:
    for statement in TABLES:
        execute_ddl(statement)
    op.execute(LATENCY)


def downgrade() -> None:
    op.execute("DROP VIEW latency")
    for statement in reversed(TABLES):
        op.execute(f"DROP TABLE {statement.split()[2]}")
