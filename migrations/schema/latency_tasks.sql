-- What a database lacks that was made before latencies were kept by task. Runs behind latencies.sql and names.sql, too.

ALTER TABLE task ADD COLUMN IF NOT EXISTS prio smallint;

CREATE TABLE IF NOT EXISTS latency_task (
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
