-- Has the catalog draw the rulers of worst cases. Traces that were loaded before have none until they are loaded again.

ALTER TABLE latency_explanation ADD COLUMN IF NOT EXISTS ruler jsonb;
