import { expect, test } from 'vitest';
import { INTERFERENCE } from '../../../api/latencies.fixture';
import { hertzText, interferenceTable, omittedText, type InterferenceBy } from './interference';

test.each<[InterferenceBy, readonly string[]]>([
  ['cpu', ['CPU 0 irq local_timer first', 'CPU 0 softirq TIMER']],
  ['task', ['cyclictest-1213 irq local_timer first']],
])('by %s, the largest first', (by, expected) => {
  const table = interferenceTable(INTERFERENCE, by, []);
  expect(
    table.rows.map(({ from, cause, name, isFirst }) =>
      [from, cause, name, isFirst ? 'first' : ''].join(' ').trim(),
    ),
  ).toEqual(expected);
  expect(omittedText(table, by)).toBe('');
});

test('a task is named as whose time it was, a CPU is not', () => {
  expect(interferenceTable(INTERFERENCE, 'task', []).rows[0]?.owner).toEqual({
    comm: 'cyclictest',
    pid: 1213,
  });
  expect(interferenceTable(INTERFERENCE, 'cpu', []).rows[0]).not.toHaveProperty('owner');
});

test('idle time is taken from nobody, tasks have their pids, and every CPU has its share of the rows', () => {
  const [cpu] = INTERFERENCE.cpus;
  const [share] = cpu?.by ?? [];
  if (!cpu || !share) throw new Error('the fixture has neither');
  const idle = { ...share, cause: 'idle', what: null };
  const tasks = Array.from({ length: 60 }, (_, pid) => ({ ...share, cause: 'task', what: 'sh', pid }));
  const cpus = [0, 1].map((number) => ({ ...cpu, cpu: number, by: [idle, ...tasks] }));
  const answer = { ...INTERFERENCE, cpus };
  const table = interferenceTable(answer, 'cpu', []);
  expect(table.rows[0]).toMatchObject({ from: 'CPU 0', name: 'sh-0', isFirst: true });
  expect(table.rows.filter(({ from }) => from === 'CPU 1')).toHaveLength(12);
  expect(omittedText(table, 'cpu')).toBe('Not listed: 96 smaller causes.');
  expect(interferenceTable(answer, 'cpu', [1]).rows[0]?.from).toBe('CPU 1');
});

test('where switches are missing, the time is that of nobody who is recorded', () => {
  const [cpu] = INTERFERENCE.cpus;
  const [share] = cpu?.by ?? [];
  if (!cpu || !share) throw new Error('the fixture has neither');
  const answer = { ...INTERFERENCE, cpus: [{ ...cpu, by: [{ ...share, cause: 'unknown', what: null }] }] };
  expect(interferenceTable(answer, 'cpu', []).rows[0]?.name).toBe('not recorded');
});

test('of many tasks those that most was taken from are listed', () => {
  const [task] = INTERFERENCE.tasks;
  const tasks = Array.from({ length: 100 }, (_, pid) => ({ comm: 'sh', ran_ns: 1, by: [], ...task, pid }));
  const table = interferenceTable({ ...INTERFERENCE, tasks }, 'task', []);
  expect(table.rows).toHaveLength(8);
  expect(omittedText(table, 'task')).toBe('Not listed: 92 more tasks.');
});

test.each([
  [250_000, '250\u202fHz'],
  [999_250, '999.25\u202fHz'],
  [5, '0.005\u202fHz'],
])('%i thousandths of a hertz', (rate, text) => expect(hertzText(rate)).toBe(text));
