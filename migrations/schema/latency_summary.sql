-- Of each kind of latency, what all of its samples come to, and those of each group: of a CPU, of tasks of one name,
-- of a key, of a length of sleep, of a frequency, of an idle state.
-- Whatever crosses traces reads these rows alone.

CREATE TABLE IF NOT EXISTS latency_summary (
    trace_key bigint NOT NULL,
    kind smallint NOT NULL,
    group_by text NOT NULL,
    group_name text NOT NULL,
    count bigint NOT NULL,
    total_ns text NOT NULL,
    squares text,
    min_ns bigint NOT NULL,
    max_ns bigint NOT NULL,
    max_start_ns bigint NOT NULL,
    max_owner text NOT NULL,
    max_key text,
    is_exact smallint NOT NULL,
    value_ns bigint[] STORAGE EXTERNAL NOT NULL,
    value_count bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, group_by, group_name)
);
