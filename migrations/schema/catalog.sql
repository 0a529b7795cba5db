-- What the catalog is searched and sorted by. Each sort of store/catalog_page.py has an index of its expression,
-- continued by the id, so that a page costs the same in a catalog of a hundred and of a hundred thousand traces.

ALTER TABLE trace ADD COLUMN IF NOT EXISTS label_text text NOT NULL DEFAULT '';
ALTER TABLE trace ADD COLUMN IF NOT EXISTS worst_duration_ns bigint NOT NULL DEFAULT -1;
ALTER TABLE trace ADD COLUMN IF NOT EXISTS search_text text NOT NULL GENERATED ALWAYS AS (lower(
    name || E'\n' || filename || E'\n' || id || E'\n' || coalesce(kernel, '') || E'\n' || coalesce(tracer, '')
    || E'\n' || label_text)) STORED;

CREATE INDEX IF NOT EXISTS trace_name ON trace (name, id);
CREATE INDEX IF NOT EXISTS trace_status ON trace (status, id);
CREATE INDEX IF NOT EXISTS trace_kernel ON trace (coalesce(kernel, ''), id);
CREATE INDEX IF NOT EXISTS trace_tracer ON trace (coalesce(tracer, ''), id);
CREATE INDEX IF NOT EXISTS trace_cpu_count ON trace (coalesce(cpu_count, -1), id);
CREATE INDEX IF NOT EXISTS trace_duration_ns ON trace (coalesce(duration_ns, -1), id);
CREATE INDEX IF NOT EXISTS trace_event_count ON trace (coalesce(event_count, -1), id);
CREATE INDEX IF NOT EXISTS trace_call_count ON trace (coalesce(call_count, -1), id);
CREATE INDEX IF NOT EXISTS trace_record_count ON trace (coalesce(event_count + call_count, -1), id);
CREATE INDEX IF NOT EXISTS trace_worst ON trace (worst_duration_ns, id);
CREATE INDEX IF NOT EXISTS trace_size_bytes ON trace (size_bytes, id);
