-- How many equal measurements a sample stands for: those of a bar of a histogram are one row.

ALTER TABLE sample_block ADD COLUMN IF NOT EXISTS weight bigint[] STORAGE EXTERNAL NOT NULL DEFAULT '{}';
ALTER TABLE latency_case ADD COLUMN IF NOT EXISTS weight bigint NOT NULL DEFAULT 1;

CREATE OR REPLACE VIEW latency AS
SELECT block.trace_key, trace.id AS trace, latency_kind.name AS kind, record.t_ns, record.duration_ns,
       record.cpu, coalesce(record.start_cpu, record.cpu) AS start_cpu, task.pid, task.comm,
       symbol.name AS key, coalesce(record.flags, 0) AS flags, record.sleep_ns, record.frequency_khz,
       record.idle_state, coalesce(record.weight, 1) AS weight
FROM sample_block AS block
JOIN trace ON trace.key = block.trace_key
JOIN latency_kind ON latency_kind.trace_key = block.trace_key AND latency_kind.kind = block.kind
CROSS JOIN LATERAL (
    SELECT time.t_ns, time.duration_ns + coalesce(time.duration_excess_ns, 0) AS duration_ns, time.sleep_ns, time.weight,
           context.cpu, context.start_cpu, context.task, context.symbol, context.flags,
           context.frequency_khz, context.idle_state
    FROM (
        SELECT record.*, block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns
        FROM unnest(block.dt, block.duration_ns, block.duration_excess_ns, block.sleep_ns, block.context_idx,
                    block.weight)
             WITH ORDINALITY AS record (dt, duration_ns, duration_excess_ns, sleep_ns, context_idx, weight, n)
    ) AS time
    FULL JOIN unnest(block.cpu, block.start_cpu, block.task, block.symbol, block.flags, block.frequency_khz,
                     block.idle_state)
              WITH ORDINALITY AS context (cpu, start_cpu, task, symbol, flags, frequency_khz, idle_state, n)
              ON context.n = time.context_idx + 1
    OFFSET 0
) AS record
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
LEFT JOIN symbol ON symbol.trace_key = block.trace_key AND symbol.idx = record.symbol;
