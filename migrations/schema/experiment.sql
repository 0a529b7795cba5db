-- Saved comparisons: what is compared and how it is shown, and no data of the traces.

CREATE TABLE IF NOT EXISTS experiment (
    slug       text PRIMARY KEY,
    name       text NOT NULL,
    note       text NOT NULL,
    comparison jsonb NOT NULL,
    view       jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS experiment_changed_at ON experiment (changed_at, slug);
