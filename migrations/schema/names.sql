-- What the indices in records refer to.

CREATE TABLE task (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    pid integer,
    cpu smallint,
    tgid integer,
    comm text NOT NULL,
    event_count bigint NOT NULL,
    prio smallint,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE event_type (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    system text,
    event_count bigint NOT NULL,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE event_field (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    type smallint NOT NULL,
    name text NOT NULL,
    unit_ns bigint,
    unit_source text,
    is_sampled smallint NOT NULL,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE symbol (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    name text NOT NULL,
    module text,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE counter (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    name text NOT NULL,
    unit text,
    PRIMARY KEY (trace_key, idx)
);
