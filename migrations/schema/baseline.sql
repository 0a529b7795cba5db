-- Baselines: which traces others are compared with, and which samples of them; no data of the traces.

CREATE TABLE IF NOT EXISTS baseline (
    slug       text PRIMARY KEY,
    name       text NOT NULL,
    note       text NOT NULL,
    variant    jsonb NOT NULL,
    "where"    jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);
