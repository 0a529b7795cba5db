-- The kinds of slices, and a view as in views.sql. Revision 0010 runs this on databases that 0009 made.

-- Filled from the core's catalog after every migration.
CREATE TABLE IF NOT EXISTS slice_kind (kind smallint PRIMARY KEY, name text NOT NULL);

CREATE OR REPLACE VIEW slice AS
SELECT block.trace_key, trace.id AS trace, slice_kind.name AS kind,
       record.t_ns, record.duration_ns, coalesce(record.self_ns, record.duration_ns) AS self_ns,
       record.cpu, task.pid, task.comm, symbol.name, symbol.module, record.depth, record.id, record.parent,
       record.flags, record.args, record.retval
FROM slice_block AS block
JOIN trace ON trace.key = block.trace_key
LEFT JOIN slice_kind ON slice_kind.kind = block.kind
CROSS JOIN LATERAL (
    SELECT time.t_ns, time.duration_ns + coalesce(time.duration_excess_ns, 0) AS duration_ns,
           time.self_ns + coalesce(time.self_excess_ns, 0) AS self_ns,
           CASE WHEN cardinality(block.id_at) > 0 THEN time.id END AS id, time.parent, time.args,
           time.retval, context.cpu, context.task, context.symbol, context.depth, context.flags
    FROM (
        SELECT record.*, block.t0 + sum(dt) OVER (ORDER BY record.n) AS t_ns,
               (sum(coalesce(id_step, 1)) OVER (ORDER BY record.n))::integer AS id
        FROM unnest(block.dt, block.duration_ns, block.duration_excess_ns, block.self_ns,
                    block.self_excess_ns, block.parent, block.context_idx, block.args, block.retval)
             WITH ORDINALITY AS record (dt, duration_ns, duration_excess_ns, self_ns, self_excess_ns,
                                        parent, context_idx, args, retval, n)
        FULL JOIN unnest(block.id_at, block.id_step) AS step (id_at, id_step) ON step.id_at + 1 = record.n
    ) AS time
    FULL JOIN unnest(block.cpu, block.task, block.symbol, block.depth, block.flags)
              WITH ORDINALITY AS context (cpu, task, symbol, depth, flags, n)
              ON context.n = time.context_idx + 1
    OFFSET 0
) AS record
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task
LEFT JOIN symbol ON symbol.trace_key = block.trace_key AND symbol.idx = record.symbol;
