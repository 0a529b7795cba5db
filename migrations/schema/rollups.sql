-- Aggregates that are computed when a trace is loaded.

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
);

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
);

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
);

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
);
