-- Of each kind of latency, what took the time of its samples, by cells of their durations.

CREATE TABLE IF NOT EXISTS latency_tail (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    subject integer NOT NULL,
    task integer,
    prio smallint,
    cell smallint[] STORAGE EXTERNAL NOT NULL,
    count bigint[] STORAGE EXTERNAL NOT NULL,
    total_ns bigint[] STORAGE EXTERNAL NOT NULL,
    min_ns bigint[] STORAGE EXTERNAL NOT NULL,
    max_ns bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, subject)
);

CREATE TABLE IF NOT EXISTS latency_tail_part (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    subject integer NOT NULL,
    part integer NOT NULL,
    cause text,
    name text,
    mechanism text,
    stage_from text,
    stage_to text,
    cell smallint[] STORAGE EXTERNAL NOT NULL,
    duration_ns bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, subject, part)
);
