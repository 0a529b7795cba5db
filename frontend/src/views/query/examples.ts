export interface Example {
  readonly title: string;
  readonly sql: string;
}

/** Statements that run on any recording of wakeups, interrupts or calls; `$1` are the traces that are chosen. */
export const EXAMPLES: readonly Example[] = [
  {
    title: 'Worst cases, with why',
    sql: `SELECT trace, case_id, kind, duration_ns, cpu, comm, headline
FROM worst_case
WHERE trace = ANY ($1) AND case_id IS NOT NULL
ORDER BY duration_ns DESC
LIMIT 20`,
  },
  {
    title: 'Percentiles of each kind',
    sql: `SELECT kind, count(*), max(duration_ns) AS max_ns,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ns) AS p50_ns,
       percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_ns) AS p99_ns
FROM latency
WHERE trace = ANY ($1)
GROUP BY kind
ORDER BY max_ns DESC`,
  },
  {
    title: 'Wakeup latency over time',
    sql: `SELECT t_ns, duration_ns, comm, trace
FROM latency
WHERE trace = ANY ($1) AND kind = 'wakeup'
ORDER BY t_ns
LIMIT 5000`,
  },
  {
    title: 'What took the time of all wakeups',
    sql: `SELECT cause, name, mechanism, sum(total_ns) AS total_ns
FROM latency_cause
WHERE trace = ANY ($1) AND kind = 'wakeup'
GROUP BY 1, 2, 3
ORDER BY total_ns DESC
LIMIT 20`,
  },
  {
    title: 'Time of each interrupt by CPU',
    sql: `SELECT name, cpu, count(*), sum(self_ns) AS total_ns, max(duration_ns) AS max_ns
FROM slice
WHERE trace = ANY ($1) AND kind = 'irq'
GROUP BY name, cpu
ORDER BY total_ns DESC`,
  },
  {
    title: 'Functions that took most',
    sql: `SELECT name, count, total_ns, self_ns, p99_ns, max_ns
FROM function_total
WHERE trace = ANY ($1)
ORDER BY total_ns DESC
LIMIT 50`,
  },
  {
    title: 'Which task follows which',
    sql: `SELECT comm AS previous, substring(args FROM 'next_comm=(.*) next_pid') AS next, count(*)
FROM event
WHERE trace = ANY ($1) AND event = 'sched_switch'
GROUP BY 1, 2
ORDER BY count(*) DESC
LIMIT 50`,
  },
  {
    title: 'Worst wakeup of every trace, by kernel',
    sql: `SELECT r.trace, r.name, r.kernel, r.labels ->> 'board' AS board, t.count, t.max_ns
FROM recording AS r
JOIN latency_total AS t ON t.trace = r.trace AND t.kind = 'wakeup'
ORDER BY t.max_ns DESC`,
  },
];
