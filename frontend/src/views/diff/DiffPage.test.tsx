// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import type { Normals } from '../../api/diff';
import { sentenceText } from '../../lib/visibleText';
import { columnsOf, DIFF } from './diff.fixture';
import DiffView from './DiffView';

vi.mock('../../components/chart/Chart', () => import('../../components/testing/FlatChart'));

const AT = '/diff?abnormal=abcdefghijkl/call-cpu1@0.0&normal=mnopqrstuvwx/call-cpu1@0.0';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const open = (answer: unknown = DIFF, at = AT) =>
  renderPage(<DiffView />, { at, answers: { '/diff': answer } });
const visible = (text: string | null) => text?.replaceAll('\u202f', ' ');
const cellsOf = (row: HTMLElement) =>
  [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent);

it('says the sentence, what is doubtful first, and the two sides', async () => {
  open();
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(sentenceText(DIFF.summary));
  const notes = within(screen.getByRole('list', { name: 'Notes on this comparison' }));
  expect(notes.getAllByRole('listitem').map((note) => note.textContent)).toEqual([
    'doubtfulThe clocks are local and mono.',
    'The hosts are not known.',
  ]);
  const [abnormal] = screen.getAllByRole('link', { name: 'smp_apic_timer_interrupt on CPU 1' });
  expect(abnormal?.getAttribute('href')).toBe('/t/abcdefghijkl/calls?v=1&call=call-cpu1@0.0');
  expect(await screen.findByRole('img', { name: /Abnormal above normal/ })).toBeDefined();
});

it('tells two sides of one name apart by their instants and their traces', async () => {
  open({ ...DIFF, normal: { ...DIFF.abnormal, trace: 'mnopqrstuvwx', t: 1_500_000_000 } });
  await screen.findByRole('heading', { level: 1 });
  const [abnormal, normal] = screen.getAllByRole('definition').map(({ textContent }) => visible(textContent));
  expect(abnormal).toMatch(/in Timer interrupt, abnormal \(abcdefghijkl\) at 0\.000000000 s$/);
  expect(normal).toMatch(/in Timer interrupt, abnormal \(mnopqrstuvwx\) at 1\.500000000 s$/);
});

it('chooses a contribution in the tree, too, and walks on from there by keys', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: /hrtimer_start_range_ns/ }));
  const row = await screen.findByRole('row', { selected: true });
  expect(cellsOf(row)).toEqual(['7.505', '–', '+7.505', '+7.505']);
  fireEvent.keyDown(row, { key: 'ArrowLeft' });
  const around = await screen.findByRole('row', { name: /enqueue_task_rt/, selected: true });
  expect(cellsOf(around)).toEqual(['18.024', '8.032', '+9.992', '+2.487']);
  fireEvent.keyDown(around, { key: 'ArrowLeft' });
  expect(await screen.findByRole('row', { name: /enqueue_task_rt/, expanded: false })).toBeDefined();
  expect(screen.queryByRole('row', { name: /hrtimer_start_range_ns/ })).toBeNull();
});

it('has no more rows on the page than fit, and its keys reach all of them', async () => {
  const calls = Array.from({ length: 2000 }, (_, at) => `f${at} added 1 5 - 5`);
  open({ ...DIFF, rows: columnsOf(['root matched 0 100000 0 0', ...calls]) });
  const root = await screen.findByRole('row', { name: /root/, expanded: true });
  fireEvent.keyDown(root, { key: 'End' });
  const last = await screen.findByRole('row', { name: /f1999/, selected: true });
  expect(last.getAttribute('aria-rowindex')).toBe('2002');
  await waitFor(() => expect(document.activeElement).toBe(last));
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('2002');
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
  fireEvent.keyDown(last, { key: 'ArrowUp' });
  expect(await screen.findByRole('row', { name: /f1998/, selected: true })).toBeDefined();
  expect(screen.queryByRole('row', { name: /f1000/ })).toBeNull();
});

it('says that two are equal, what cannot be compared, and where nothing is named', async () => {
  const same = {
    ...DIFF,
    delta_ns: 0,
    rows: { ...DIFF.rows, self_delta_ns: [0, 0, 0, 0] },
  };
  open(same);
  expect(await screen.findByText('The two are equal.')).toBeDefined();
  cleanup();
  renderPage(<DiffView />, { at: AT, answers: {} });
  expect((await screen.findByRole('alert')).textContent).toContain('/api/v1/diff');
  cleanup();
  open(DIFF, '/diff');
  expect(await screen.findByText('Nothing to compare')).toBeDefined();
});

it('leads to no trace that is gone', async () => {
  const gone = Response.json({ title: 'Not found' }, { status: 404 });
  renderPage(<DiffView />, { at: AT, answers: { '/diff': gone, '/traces/abcdefghijkl': gone } });
  expect((await screen.findByRole('link', { name: 'All traces' })).getAttribute('href')).toBe('/');
  expect(screen.queryByRole('link', { name: 'Open the trace' })).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  renderPage(<DiffView />, { at: AT, answers: { '/diff': gone, '/traces/abcdefghijkl': TRACE } });
  expect(await screen.findByRole('link', { name: 'Open the trace' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Compare with the median' })).toBeDefined();
});

const NORMALS: Normals = {
  function: 'smp_apic_timer_interrupt',
  kind: null,
  title: null,
  key: null,
  count: 1,
  unit: 'ns',
  traces: [
    {
      id: 'mnopqrstuvwx',
      name: 'Normal',
      labels: { board: 'qemu' },
      shared_labels: ['board'],
      created_at: '2026-01-01T00:00:00Z',
      count: 1,
      median_ns: 53_940,
      max_ns: 53_940,
      normal: 'mnopqrstuvwx/auto',
    },
  ],
};

const pathOf = (url: unknown) => new URL(String(url), 'http://localhost').pathname;

it('offers the traces that have one to compare with, where the own has none', async () => {
  const at = '/diff?abnormal=abcdefghijkl/call-cpu1@0.0';
  renderPage(<DiffView />, { at, answers: { '/diff/normals': NORMALS } });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Compare with…');
  expect(screen.getByText(/no other call of smp_apic_timer_interrupt/)).toBeDefined();
  const link = screen.getByRole('link', { name: 'Normal' });
  expect(link.getAttribute('href')).toContain('normal=mnopqrstuvwx/auto');
  expect(screen.getByRole('row', { name: /board=qemu 1 53\.94/ })).toBeDefined();
});

it('names no unit of time where clocks only count', async () => {
  open({ ...DIFF, unit: 'ticks', summary: '+10,056 clock ticks.' });
  expect(await screen.findAllByText('63,996 clock ticks')).not.toHaveLength(0);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toContain('delta, ticks');
  expect(visible(document.body.textContent)).not.toMatch(/\d (ns|µs|ms)\b/);
  cleanup();
  const at = '/diff?abnormal=abcdefghijkl/call-cpu1@0.0';
  renderPage(<DiffView />, { at, answers: { '/diff/normals': { ...NORMALS, unit: 'ticks' } } });
  expect(await screen.findByRole('row', { name: /board=qemu 1 53,940/ })).toBeDefined();
});

it('says plainly what cannot be compared, and leads on to what can', async () => {
  const detail =
    'normal: "tsc" counts ticks of the clock x86-tsc and "local" nanoseconds: their durations differ';
  const refused = { title: 'A parameter is invalid', code: 'not_comparable', detail };
  renderPage(<DiffView />, { at: AT, answers: { '/diff': Response.json(refused, { status: 422 }) } });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('These two cannot be compared');
  expect(screen.getByText(/^"tsc" counts ticks/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Compare with the median' })).toBeDefined();
});

it('asks for no comparison that there cannot be, and for one where another is not like it', async () => {
  const at = '/diff?abnormal=abcdefghijkl/call-cpu1@0.0';
  renderPage(<DiffView />, { at, answers: { '/diff/normals': NORMALS } });
  const fetched = vi.fn<typeof fetch>(fetch);
  vi.stubGlobal('fetch', fetched);
  await screen.findByText('Compare with…');
  expect(fetched.mock.calls.map(([url]) => pathOf(url))).toEqual(['/api/v1/diff/normals']);
  cleanup();
  renderPage(<DiffView />, {
    at,
    answers: { '/diff': Response.json({}, { status: 404 }), '/diff/normals': { ...NORMALS, count: 2 } },
  });
  expect(await screen.findByText('Compare with…')).toBeDefined();
  cleanup();
  renderPage(<DiffView />, { at, answers: { '/diff/normals': { ...NORMALS, count: 2 }, '/diff': DIFF } });
  expect(await screen.findByText(DIFF.summary)).toBeDefined();
});

it('says what is missing where no trace has one, and why where the call itself is not there', async () => {
  const at = '/diff?abnormal=abcdefghijkl/call-cpu1@0.0';
  renderPage(<DiffView />, { at, answers: { '/diff/normals': { ...NORMALS, traces: [] } } });
  expect(await screen.findByText(/No other trace has calls of smp_apic_timer_interrupt/)).toBeDefined();
  expect(screen.getByText(/^trace-cmd record .* -g smp_apic_timer_interrupt /)).toBeDefined();
  expect(screen.getByRole('img', { name: /^A comparison/ })).toBeDefined();
  cleanup();
  renderPage(<DiffView />, { at, answers: {} });
  expect(await screen.findByRole('alert')).toBeDefined();
});

it('shows what had the CPU in two cases before the order of their events', async () => {
  const times = { abnormal_ns: 2_900_000, normal_ns: 0, delta_ns: 2_900_000 };
  const tasks = { abnormal: 3, normal: 0 };
  const one = { what: 'dd-191', tasks: { abnormal: 1, normal: 0 }, ...times };
  const causes = [{ cause: 'task', ...times, parts: [{ what: 'hackbench', tasks, ...times }, one] }];
  const stages = [{ from: 'wakeup', to: 'switch', ...times }];
  open({ ...DIFF, kind: 'events', causes, stages, by_events: '+2.900 ms: 2.900 ms from a to b.' });
  const table = within(await screen.findByRole('table', { name: 'Causes of both sides' }));
  expect(table.getByRole('row', { name: /other task 2\.900 – \+2\.900\s*ms/ })).toBeDefined();
  expect(table.getByRole('row', { name: /hackbench × 3/ })).toBeDefined();
  expect(table.getByRole('link', { name: 'dd-191' }).getAttribute('href')).toMatch(/timeline.*tasks=191/);
  expect(screen.getByRole('row', { name: /wakeup → switch/ })).toBeDefined();
  expect(screen.getByText(/2\.900 ms from a to b/)).toBeDefined();
  const bars = table.getByRole('row', { name: /hackbench × 3/ }).querySelectorAll('[data-side=abnormal]');
  expect(bars).toHaveLength(1);
});

it('has one row for the task that was late on both sides, whose names lead to their lanes', async () => {
  const times = { abnormal_ns: 4_000, normal_ns: 22_000, delta_ns: -18_000 };
  const part = (what: string) => ({ what, tasks: { abnormal: 1, normal: 1 }, ...times });
  const causes = [{ cause: 'itself', ...times, parts: [part('cyclictest-82'), part('cyclictest-80')] }];
  const abnormal = { ...DIFF.abnormal, id: 'cyclic-82@2648846442', comm: 'cyclictest', pid: 82 };
  open({ ...DIFF, abnormal, kind: 'events', causes, stages: [] });
  const table = within(await screen.findByRole('table', { name: 'Causes of both sides' }));
  expect(table.getAllByRole('row')).toHaveLength(2);
  expect(table.getByRole('row', { name: /the task itself/ })).toBeDefined();
  const late = screen.getByRole('link', { name: 'cyclictest-82' });
  expect(late.getAttribute('href')).toMatch(/timeline.*tasks=82/);
});
