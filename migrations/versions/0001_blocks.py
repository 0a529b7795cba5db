"""Creates the tables that hold the contents of traces: dictionaries, and records in blocks.

What the columns mean is said in `backend/crates/ftrace/src/store/tables.rs`, whose test holds these
statements against its own. Every key begins with `trace_key`, and no constraint crosses traces, so
that the tables can be distributed by it.
"""

from alembic import op

from jitterscope.store.ddl import execute_ddl

revision = "0001_blocks"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    """
CREATE TABLE task (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    pid integer,
    cpu smallint,
    tgid integer,
    comm text NOT NULL,
    event_count bigint NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE event_type (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    system text,
    event_count bigint NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE symbol (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    name text NOT NULL,
    module text,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE counter (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    name text NOT NULL,
    unit text,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE diagnostic (
    trace_key bigint NOT NULL,
    code text NOT NULL,
    severity text NOT NULL,
    count bigint NOT NULL,
    first_line bigint,
    first_byte_offset bigint NOT NULL,
    sample text NOT NULL,
    PRIMARY KEY (trace_key, code)
)
""",
    """
CREATE TABLE diagnostic_line (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    code text NOT NULL,
    line bigint,
    byte_offset bigint NOT NULL,
    sample text NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE loss (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    cpu smallint,
    start_ns bigint NOT NULL,
    end_ns bigint NOT NULL,
    lost_count bigint,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE note (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    t_ns bigint NOT NULL,
    cpu smallint,
    text text NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE stack (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    t_ns bigint NOT NULL,
    cpu smallint,
    kind text NOT NULL,
    task integer,
    frames text[] NOT NULL,
    PRIMARY KEY (trace_key, idx)
)
""",
    """
CREATE TABLE function_stat (
    trace_key bigint NOT NULL,
    symbol integer NOT NULL,
    count bigint NOT NULL,
    total_ns bigint NOT NULL,
    self_ns bigint NOT NULL,
    min_ns bigint NOT NULL,
    p50_ns bigint NOT NULL,
    p99_ns bigint NOT NULL,
    max_ns bigint NOT NULL,
    slowest_call integer NOT NULL,
    slowest_start_ns bigint NOT NULL,
    slowest_cpu smallint NOT NULL,
    slowest_task integer,
    slowest_depth smallint NOT NULL,
    PRIMARY KEY (trace_key, symbol)
)
""",
    """
CREATE TABLE calltree_block (
    trace_key bigint NOT NULL,
    block integer NOT NULL,
    first_node integer NOT NULL,
    count integer NOT NULL,
    parent integer[] STORAGE EXTERNAL NOT NULL,
    symbol integer[] STORAGE EXTERNAL NOT NULL,
    cpu smallint[] STORAGE EXTERNAL NOT NULL,
    task integer[] STORAGE EXTERNAL NOT NULL,
    calls bigint[] STORAGE EXTERNAL NOT NULL,
    total_ns bigint[] STORAGE EXTERNAL NOT NULL,
    self_ns bigint[] STORAGE EXTERNAL NOT NULL,
    min_ns bigint[] STORAGE EXTERNAL NOT NULL,
    p50_ns bigint[] STORAGE EXTERNAL NOT NULL,
    max_ns bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, block)
)
""",
    """
CREATE TABLE event_block (
    trace_key bigint NOT NULL,
    block integer NOT NULL,
    t0 bigint NOT NULL,
    t1 bigint NOT NULL,
    count integer NOT NULL,
    first_seq bigint NOT NULL,
    dt integer[] STORAGE EXTERNAL NOT NULL,
    context_idx smallint[] STORAGE EXTERNAL NOT NULL,
    message_idx smallint[] STORAGE EXTERNAL NOT NULL,
    cpu smallint[] STORAGE EXTERNAL NOT NULL,
    task integer[] STORAGE EXTERNAL NOT NULL,
    flags integer[] STORAGE EXTERNAL NOT NULL,
    type smallint[] STORAGE EXTERNAL NOT NULL,
    args text[] NOT NULL,
    PRIMARY KEY (trace_key, block)
)
""",
    """
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
    id integer[] STORAGE EXTERNAL NOT NULL,
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
""",
    """
CREATE TABLE counter_block (
    trace_key bigint NOT NULL,
    block integer NOT NULL,
    t0 bigint NOT NULL,
    t1 bigint NOT NULL,
    count integer NOT NULL,
    dt integer[] STORAGE EXTERNAL NOT NULL,
    counter smallint[] STORAGE EXTERNAL NOT NULL,
    cpu smallint[] STORAGE EXTERNAL NOT NULL,
    value bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, block)
)
""",
    """
CREATE TABLE rollup_block (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    level smallint NOT NULL,
    cpu smallint NOT NULL,
    depth smallint NOT NULL,
    block integer NOT NULL,
    width_ns bigint NOT NULL,
    first_bucket bigint NOT NULL,
    last_bucket bigint NOT NULL,
    count integer NOT NULL,
    bucket integer[] STORAGE EXTERNAL NOT NULL,
    slices integer[] STORAGE EXTERNAL NOT NULL,
    busy_ns bigint[] STORAGE EXTERNAL NOT NULL,
    max_ns bigint[] STORAGE EXTERNAL NOT NULL,
    max_start_ns bigint[] STORAGE EXTERNAL NOT NULL,
    task integer[] STORAGE EXTERNAL NOT NULL,
    symbol integer[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, level, cpu, depth, block)
)
""",
)


def upgrade() -> None:
    for statement in TABLES:
        execute_ddl(statement)


def downgrade() -> None:
    for statement in reversed(TABLES):
        op.execute(f"DROP TABLE {statement.split()[2]}")
