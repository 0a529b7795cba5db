-- What people read with SQL of their own, beside `event`, `slice` and `latency`: traces with their labels, tasks, calls,
-- counters, and the sums that are made when a trace is loaded. docs/sql.md describes every column.

CREATE OR REPLACE VIEW recording AS
SELECT trace.id AS trace, trace.name, trace.filename, trace.status, trace.format, trace.tracer, trace.kernel, trace.clock,
       trace.cpu_count, trace.origin_ns, trace.duration_ns, trace.event_count, trace.call_count, trace.lost_events,
       trace.size_bytes, trace.created_at,
       coalesce((SELECT jsonb_object_agg(label.name, label.value) FROM label WHERE label.trace_key = trace.key),
                '{}') AS labels
FROM trace;

CREATE OR REPLACE VIEW thread AS
SELECT trace.id AS trace, task.pid, task.tgid, task.comm, task.cpu, task.prio, task.event_count
FROM task
JOIN trace ON trace.key = task.trace_key;

CREATE OR REPLACE VIEW call AS
SELECT trace, t_ns, duration_ns, self_ns, cpu, pid, comm, name, module, depth, id, parent, args, retval
FROM slice
WHERE kind = 'call';

-- Nested loops over unnested arrays as in views.sql: a condition on the trace finds its blocks by their key.
CREATE OR REPLACE VIEW counter_change AS
SELECT trace.id AS trace, record.t_ns, record.cpu, counter.name, record.value, counter.unit
FROM counter_block AS block
JOIN trace ON trace.key = block.trace_key
CROSS JOIN LATERAL (
    SELECT block.t0 + sum(one.dt) OVER (ORDER BY one.n) AS t_ns, one.counter, one.cpu, one.value
    FROM unnest(block.dt, block.counter, block.cpu, block.value) WITH ORDINALITY AS one (dt, counter, cpu, value, n)
    OFFSET 0
) AS record
LEFT JOIN counter ON counter.trace_key = block.trace_key AND counter.idx = record.counter;

CREATE OR REPLACE VIEW latency_total AS
SELECT trace.id AS trace, latency_kind.name AS kind, latency_kind.count, latency_kind.min_ns, latency_kind.max_ns,
       latency_kind.total_ns
FROM latency_kind
JOIN trace ON trace.key = latency_kind.trace_key;

CREATE OR REPLACE VIEW worst_case AS
SELECT trace.id AS trace, latency_kind.name AS kind, worst.rank, worst.start_ns AS t_ns, worst.duration_ns, worst.cpu,
       task.pid, task.comm, symbol.name AS key, told.id AS case_id, told.headline
FROM latency_case AS worst
JOIN trace ON trace.key = worst.trace_key
JOIN latency_kind ON latency_kind.trace_key = worst.trace_key AND latency_kind.kind = worst.kind
LEFT JOIN latency_explanation AS told
    ON told.trace_key = worst.trace_key AND told.kind = worst.kind AND told.rank = worst.rank
LEFT JOIN task ON task.trace_key = worst.trace_key AND task.idx = worst.task
LEFT JOIN symbol ON symbol.trace_key = worst.trace_key AND symbol.idx = worst.symbol;

CREATE OR REPLACE VIEW latency_cause AS
SELECT trace.id AS trace, latency_kind.name AS kind, task.pid, task.comm, subject.prio, part.cause, part.name,
       part.mechanism,
       (SELECT sum(one.duration_ns)::bigint FROM unnest(part.duration_ns) AS one (duration_ns)) AS total_ns
FROM latency_tail_part AS part
JOIN latency_tail AS subject
    ON subject.trace_key = part.trace_key AND subject.kind = part.kind AND subject.subject = part.subject
JOIN trace ON trace.key = part.trace_key
JOIN latency_kind ON latency_kind.trace_key = part.trace_key AND latency_kind.kind = part.kind
LEFT JOIN task ON task.trace_key = part.trace_key AND task.idx = subject.task
WHERE part.cause IS NOT NULL;

CREATE OR REPLACE VIEW latency_stage AS
SELECT trace.id AS trace, latency_kind.name AS kind, task.pid, task.comm, subject.prio, part.stage_from, part.stage_to,
       (SELECT sum(one.duration_ns)::bigint FROM unnest(part.duration_ns) AS one (duration_ns)) AS total_ns
FROM latency_tail_part AS part
JOIN latency_tail AS subject
    ON subject.trace_key = part.trace_key AND subject.kind = part.kind AND subject.subject = part.subject
JOIN trace ON trace.key = part.trace_key
JOIN latency_kind ON latency_kind.trace_key = part.trace_key AND latency_kind.kind = part.kind
LEFT JOIN task ON task.trace_key = part.trace_key AND task.idx = subject.task
WHERE part.stage_from IS NOT NULL;

CREATE OR REPLACE VIEW function_total AS
SELECT trace.id AS trace, symbol.name, symbol.module, stat.count, stat.total_ns, stat.self_ns, stat.min_ns, stat.p50_ns,
       stat.p99_ns, stat.max_ns, stat.slowest_start_ns, stat.slowest_cpu
FROM function_stat AS stat
JOIN trace ON trace.key = stat.trace_key
JOIN symbol ON symbol.trace_key = stat.trace_key AND symbol.idx = stat.symbol;

CREATE OR REPLACE VIEW event_loss AS
SELECT trace.id AS trace, loss.cpu, loss.start_ns, loss.end_ns, loss.lost_count
FROM loss
JOIN trace ON trace.key = loss.trace_key;
