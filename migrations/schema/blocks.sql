-- Records, up to 8,192 in one row, each field an array. What is the same for several records of a block is stored
-- once, as a context or a message, to which `context_idx` and `message_idx` refer.

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
    buffer smallint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, block)
);

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
);

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
    weight bigint[] STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (trace_key, kind, block)
);

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
);
