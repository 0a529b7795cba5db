// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CYCLIC, group, INTERFERENCE, KINDS, TASKS } from '../../api/latencies.fixture';
import { TAIL } from '../../api/tail.fixture';
import type { Trace, Warning } from '../../api/types';
import { FIXTURE } from '../../components/lanes/timeline.fixture';
import { SERIES } from '../../components/series/series.fixture';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { EventTypesPanel } from './EventTypesPanel';
import { FunctionsPanel } from './FunctionsPanel';
import { LatencyPanels } from './latencies/LatencyPanels';
import OverviewStrip from './OverviewStrip';
import { WarningsPanel } from './WarningsPanel';

vi.mock('../../components/chart/Chart', () => import('../../components/testing/FlatChart'));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const WARNING: Warning = {
  code: 'unreadable_line',
  severity: 'warning',
  count: 1,
  sentence: 'A line was left out.',
  remedy: '',
  first_line: 7,
  first_byte_offset: 70,
  sample: 'x',
};
const READY: Trace = { ...TRACE, duration_ns: 20_000_000, warnings: [WARNING] };
const NOTHING = { items: [], next: null };

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/latencies/kinds': { items: KINDS },
  '/latencies/tasks': { items: TASKS, is_truncated: false },
  '/latencies/series': { ...SERIES, unit: 'ns' },
  '/latencies/tail': TAIL,
  '/latencies/stats': { groups: [group('all', [1_000, 2_000])], unit: 'ns' },
  '/latencies': { items: [CYCLIC], next: null },
  '/interference': INTERFERENCE,
  '/event-fields': NOTHING,
  '/functions': NOTHING,
  '/event-types': NOTHING,
  '/warnings': NOTHING,
  '/timeline': FIXTURE,
};

const latencies = <LatencyPanels trace={READY} />;

it.each([
  ['the kinds of latencies', '/latencies/kinds', latencies, ''],
  ['the tasks', '/latencies/tasks', latencies, ''],
  ['the worst cases', '/latencies', latencies, '?worst=kind'],
  ['latency over time', '/latencies/series', latencies, ''],
  ['the distribution', '/latencies/stats', latencies, ''],
  ['the tail', '/latencies/tail', latencies, ''],
  ['interference', '/interference', latencies, ''],
  ['the functions', '/functions', <FunctionsPanel key="functions" trace={READY} />, ''],
  ['the types of events', '/event-types', <EventTypesPanel key="types" trace={READY} />, ''],
  [
    'the lines of a warning',
    '/warnings',
    <WarningsPanel key="warnings" trace={READY} />,
    '?warning=unreadable_line',
  ],
  [
    'the running tasks',
    '/timeline',
    <OverviewStrip key="strip" traceId={READY.id} durationNs={10_000} />,
    '',
  ],
])('%s: what failed is said, and the server asked again', async (_, path, page, query) => {
  const answers: Record<string, unknown> = { ...ANSWERS };
  delete answers[path];
  renderPage(page, { at: `/t/${READY.id}${query}`, answers });
  expect((await screen.findByRole('alert')).textContent).toContain(`/api/v1/traces/${READY.id}${path}`);
  answers[path] = ANSWERS[path];
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('says which fields could not be listed', async () => {
  renderPage(latencies, { at: `/t/${READY.id}`, answers: { ...ANSWERS, '/event-fields': undefined } });
  expect(await screen.findByText(/Could not list the event fields/)).toBeDefined();
});

it.each([
  [
    'no latencies',
    latencies,
    { '/latencies/kinds': { items: KINDS.map((one) => ({ ...one, count: 0, worst: null })) } },
    /Nothing in this recording can be measured. What to record is listed below/,
  ],
  [
    'no samples in the stretch',
    latencies,
    { '/latencies/stats': { groups: [], unit: 'ns' } },
    /No samples in this window. Zoom out/,
  ],
  [
    'no functions',
    <FunctionsPanel key="functions" trace={READY} />,
    {},
    /No call was recorded from start to end/,
  ],
  [
    'no tasks',
    <OverviewStrip key="strip" traceId={READY.id} durationNs={10_000} />,
    { '/timeline': { ...FIXTURE, lanes: [] } },
    /No running task was recorded/,
  ],
])('%s: an empty answer is one sentence that leads on', async (_, page, answers, words) => {
  renderPage(page, { at: `/t/${READY.id}`, answers: { ...answers, ...without(ANSWERS, answers) } });
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

/** An answer is found by the end of its path, so each may be listed once. */
function without(all: Readonly<Record<string, unknown>>, some: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([path]) => !(path in some)));
}
