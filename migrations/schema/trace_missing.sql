-- What of a trace cannot be shown, each with the events that were not recorded for it. Apart from the trace, whose
-- rows would be three times as wide with it: a search in the order of another column reads them by the ten thousand.

CREATE TABLE IF NOT EXISTS trace_missing (
    trace_key bigint PRIMARY KEY,
    missing   jsonb NOT NULL
);
