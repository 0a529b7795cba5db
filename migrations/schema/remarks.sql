-- Records that are few: problems met while reading, losses, notes, stacks.

CREATE TABLE diagnostic (
    trace_key bigint NOT NULL,
    code text NOT NULL,
    severity text NOT NULL,
    count bigint NOT NULL,
    first_line bigint,
    first_byte_offset bigint NOT NULL,
    sample text NOT NULL,
    PRIMARY KEY (trace_key, code)
);

CREATE TABLE diagnostic_line (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    code text NOT NULL,
    line bigint,
    byte_offset bigint NOT NULL,
    sample text NOT NULL,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE loss (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    cpu smallint,
    start_ns bigint NOT NULL,
    end_ns bigint NOT NULL,
    lost_count bigint,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE note (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    t_ns bigint NOT NULL,
    cpu smallint,
    text text NOT NULL,
    PRIMARY KEY (trace_key, idx)
);

CREATE TABLE stack (
    trace_key bigint NOT NULL,
    idx integer NOT NULL,
    t_ns bigint NOT NULL,
    cpu smallint,
    kind text NOT NULL,
    task integer,
    frames text[] NOT NULL,
    PRIMARY KEY (trace_key, idx)
);
