-- Traces, their labels, the idempotency keys of uploads, and what was deleted.

CREATE TABLE trace (
    key            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id             text NOT NULL UNIQUE,
    -- What the catalog is searched by; worst_text.sql adds it to older databases. A search in the order of another column
    -- reads it from row after row, which takes half as long as it would with all the other columns in front of it.
    search_text    text NOT NULL GENERATED ALWAYS AS (lower(
        name || E'\n' || filename || E'\n' || id || E'\n' || coalesce(kernel, '') || E'\n' || coalesce(tracer, '')
        || E'\n' || label_text || E'\n' || worst_text)) STORED,
    sha256         text NOT NULL UNIQUE,
    filename       text NOT NULL,
    name           text NOT NULL,
    status         text NOT NULL CHECK (status IN ('queued', 'parsing', 'analysing', 'ready', 'failed')),
    stage          text,
    progress       double precision NOT NULL,
    bytes_done     bigint NOT NULL,
    bytes_total    bigint NOT NULL,
    attempt        integer NOT NULL,
    crash_count    integer NOT NULL,
    format         text,
    tracer         text,
    kernel         text,
    clock          text,
    time_unit      text,
    time_origin    text,
    cpus           integer[],
    cpu_count      integer,
    origin_ns      bigint,
    duration_ns    bigint,
    event_count    bigint,
    call_count     bigint,
    slice_count    bigint,
    lost_events    bigint,
    size_bytes     bigint NOT NULL,
    expanded_bytes bigint,
    used_bytes     bigint,
    skipped_bytes  bigint,
    facts          jsonb,
    error          jsonb,
    parser_version text,
    created_at     timestamptz NOT NULL DEFAULT now(),
    ready_at       timestamptz,
    buffers        jsonb,
    missing_count  integer NOT NULL DEFAULT 0,
    label_text     text NOT NULL DEFAULT '',
    worst_text     text NOT NULL DEFAULT ''
);

CREATE INDEX trace_created_at ON trace (created_at, id);

CREATE TABLE label (
    trace_key bigint NOT NULL,
    name      text NOT NULL,
    value     text NOT NULL,
    PRIMARY KEY (trace_key, name)
);

CREATE INDEX label_name_value ON label (name, value);

CREATE TABLE idempotency_key (
    key        text PRIMARY KEY,
    sha256     text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Contents that were deleted here. A stored file that no trace has is loaded, unless it has a tombstone: then a
-- crash in the middle of a deletion left it behind, and it is removed.
CREATE TABLE tombstone (
    sha256     text PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
);
