-- One row for each event, slice and sample, with names, for people and their SQL.
--
-- `t_ns` adds up the distances of a block inside a lateral subquery, so that a condition on the trace still
-- finds its blocks by their key. Contexts and messages are joined in full: each record has its own and each is used,
-- so this is an inner join, but one that PostgreSQL cannot turn into nested loops. It guesses that an array has ten
-- elements, and loops over thousands would take minutes. `OFFSET 0` keeps conditions from outside away from
-- those joins, and left joins keep names from being read first, with the blocks once for each name.

CREATE VIEW event AS
SELECT block.trace_key, trace.id AS trace, block.first_seq + record.n - 1 AS seq, record.t_ns,
       record.cpu, task.pid, task.comm, event_type.name AS event, record.flags, record.args,
       trace.buffers -> record.buffer::integer ->> 'name' AS buffer
FROM event_block AS block
JOIN trace ON trace.key = block.trace_key
CROSS JOIN LATERAL (
    SELECT time.n, time.t_ns, context.cpu, context.task, context.flags, context.buffer, message.type,
           message.args
    FROM (
        SELECT n, block.t0 + sum(dt) OVER (ORDER BY n) AS t_ns, context_idx, message_idx
        FROM unnest(block.dt, block.context_idx, block.message_idx)
             WITH ORDINALITY AS record (dt, context_idx, message_idx, n)
    ) AS time
    FULL JOIN unnest(block.cpu, block.task, block.flags, block.buffer)
              WITH ORDINALITY AS context (cpu, task, flags, buffer, n) ON context.n = time.context_idx + 1
    FULL JOIN unnest(block.type, block.args)
              WITH ORDINALITY AS message (type, args, n) ON message.n = time.message_idx + 1
    OFFSET 0
) AS record
LEFT JOIN event_type ON event_type.trace_key = block.trace_key AND event_type.idx = record.type
LEFT JOIN task ON task.trace_key = block.trace_key AND task.idx = record.task;
