-- Of each kind of latency: its totals, what gave no sample, and its worst cases with the sentences that explain them.

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
);

CREATE TABLE latency_incomplete (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    reason text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (trace_key, kind, reason)
);

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
    weight bigint NOT NULL,
    PRIMARY KEY (trace_key, kind, rank)
);

CREATE TABLE latency_task (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    task integer NOT NULL,
    count bigint NOT NULL,
    start_ns bigint NOT NULL,
    duration_ns bigint NOT NULL,
    cpu smallint NOT NULL,
    start_cpu smallint,
    symbol integer,
    flags smallint NOT NULL,
    sleep_ns bigint,
    frequency_khz integer,
    idle_state smallint,
    PRIMARY KEY (trace_key, kind, task)
);

CREATE TABLE latency_explanation (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    rank integer NOT NULL,
    id text NOT NULL,
    headline text NOT NULL,
    -- Its stages and its late part, of those that the catalog may show; latency_ruler.sql adds it to older databases.
    ruler jsonb,
    PRIMARY KEY (trace_key, kind, rank)
);
