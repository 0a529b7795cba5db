-- Has the catalog find a trace by the sentence of its worst case, too. What a column is generated from cannot be changed.

ALTER TABLE trace ADD COLUMN IF NOT EXISTS worst_text text NOT NULL DEFAULT '';
ALTER TABLE trace DROP COLUMN IF EXISTS search_text;
ALTER TABLE trace ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (lower(
    name || E'\n' || filename || E'\n' || id || E'\n' || coalesce(kernel, '') || E'\n' || coalesce(tracer, '')
    || E'\n' || label_text || E'\n' || worst_text)) STORED;
