import { expect, it } from 'vitest';
import { callsSql, eventsSql, functionsSql, sliceTotalsSql, statisticsSql, worstOfKindSql } from './asSql';

it('asks for the cases that the page lists', () => {
  const window = { start: 10, end: 20 };
  expect(worstOfKindSql({ kind: 'wakeup', pid: 9, window, band: { start: 5, end: 8 }, limit: 20 })).toBe(`\
SELECT trace, t_ns, duration_ns, cpu, pid, comm, key
FROM latency
WHERE trace = ANY ($1)
  AND kind = 'wakeup'
  AND pid = 9
  AND t_ns < 20
  AND t_ns + duration_ns >= 10
  AND duration_ns >= 5
  AND duration_ns < 8
ORDER BY duration_ns DESC, t_ns
LIMIT 20`);
});

it('asks for the smallest where they are listed', () => {
  const smallest = worstOfKindSql({ kind: 'measured', isSmallestFirst: true, limit: 20 });
  expect(smallest).toContain('ORDER BY duration_ns, t_ns');
});

const ofStratum = (stratum: { name: 'cpu' | 'pid' | 'comm' | 'key'; value: string }) =>
  worstOfKindSql({ kind: 'irq', stratum, limit: 1 });

it('asks for one part of the samples', () => {
  expect(ofStratum({ name: 'cpu', value: '1' })).toContain('AND cpu = 1\n');
  expect(ofStratum({ name: 'comm', value: "o'clock" })).toContain("AND comm = 'o''clock'\n");
  expect(ofStratum({ name: 'key', value: 'NET_RX' })).toContain("AND key = 'NET_RX'\n");
  // A task is asked for by its pid, which the page gives apart.
  expect(ofStratum({ name: 'pid', value: '9' })).not.toContain('pid =');
});

it('divides samples by the column that the page divides them by', () => {
  expect(statisticsSql({ kind: 'irq' }, 'none')).not.toContain('GROUP BY cpu');
  expect(statisticsSql({ kind: 'irq' }, 'cpu')).toMatch(/^SELECT cpu,\n[^]*\nGROUP BY cpu\nORDER BY cpu$/);
});

it('asks for the calls of a function that touch a stretch', () => {
  const sql = callsSql("o'clock", { start: 10.5, end: 19.5 });
  expect(sql).toContain("(name = 'o''clock' OR name || ' [' || module || ']' = 'o''clock')");
  expect(sql).toContain('t_ns < 20\n  AND t_ns + greatest(duration_ns, 1) > 10\n');
  expect(callsSql('vfs_read')).not.toContain('t_ns <');
});

it('asks for what took the time of a stretch, by what the page adds up', () => {
  const shown = { window: { start: 10.5, end: 19.5 }, cpu: [1], kinds: ['sched', 'irq'] };
  const byName = sliceTotalsSql({ ...shown, by: 'name' });
  expect(byName).toMatch(/^SELECT kind, coalesce\(name, comm\) AS name, count\(\*\),\n/);
  expect(byName).toContain('sum(least(t_ns + duration_ns, 20) - greatest(t_ns, 10)) AS total_ns');
  expect(byName).toContain("AND kind IN ('sched', 'irq')\n");
  expect(byName).toContain('AND cpu IN (1)\nGROUP BY 1, 2\n');
  expect(sliceTotalsSql({ ...shown, by: 'cpu' })).toMatch(
    /^SELECT cpu, kind, [^]* AS pid, [^]*GROUP BY 1, 2, 3, 4\n/,
  );
});

it('takes names from strangers as text', () => {
  const sql = functionsSql({ q: "'; DROP TABLE trace --", sort: '-max' });
  expect(sql).toContain("lower('''; DROP TABLE trace --')");
  expect(sql).toMatch(/ORDER BY max_ns DESC, name$/);
  expect(functionsSql({ q: '', sort: 'symbol' })).toMatch(/ORDER BY name, name$/);
});

it('asks for whole nanoseconds', () => {
  expect(eventsSql({ start: 1.5, end: 2.5 }, [0, 2])).toContain(
    't_ns >= 1\n  AND t_ns < 3\n  AND cpu IN (0, 2)',
  );
});
