// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CASE, CYCLIC, KINDS } from '../../api/latencies.fixture';
import type { LatencyCase } from '../../api/latencyTypes';
import { FIXTURE } from '../../components/lanes/timeline.fixture';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { CasePage } from './CasePage';

vi.mock('../../components/chart/Chart', () => import('../../components/testing/FlatChart'));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/latencies/kinds': { items: KINDS },
  '/latencies': { items: [CYCLIC], next: null },
  '/timeline': FIXTURE,
};

const READY = { ...TRACE, duration_ns: 20_000_000 };

function show(answers: Readonly<Record<string, unknown>>, latencyCase: LatencyCase = CASE): void {
  const at = `/t/${TRACE.id}/cases/${CASE.id}`;
  renderPage(<CasePage trace={READY} latencyCase={latencyCase} />, { at, answers });
}

it('says that the lanes around it failed, and asks again', async () => {
  const answers: Record<string, unknown> = { ...ANSWERS, '/timeline': undefined };
  show(answers);
  expect((await screen.findByRole('alert')).textContent).toContain('/timeline');
  answers['/timeline'] = FIXTURE;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('img', { name: /Timeline around the case/ })).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('says that the others of its kind could not be listed, and asks again', async () => {
  const answers: Record<string, unknown> = { ...ANSWERS, '/latencies': undefined };
  show(answers);
  expect(await screen.findByText(/Could not list the other cases/)).toBeDefined();
  answers['/latencies'] = ANSWERS['/latencies'];
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('the worst of 1,500')).toBeDefined();
});

it.each([
  [
    'events',
    { events: [] },
    'No events were recorded around the case.',
    /-e sched -e irq -e irq_vectors -e timer/,
  ],
  [
    'a cause',
    { blame: [], evidence: [] },
    /This trace does not record what the CPU was doing/,
    /-e sched -e irq -e irq_vectors -o/,
  ],
])('without %s it says what to record', async (_, lacks, words, command) => {
  show(ANSWERS, { ...CASE, ...lacks });
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getAllByText(command)).toHaveLength(1);
});

it('without lanes it says what to record', async () => {
  show({ ...ANSWERS, '/timeline': { ...FIXTURE, lanes: [], counters: [] } });
  expect(await screen.findByText(/does not record what ran on this CPU/)).toBeDefined();
  expect(screen.getByText(/-e sched:sched_switch -e irq/)).toBeDefined();
});

it('has its events as one stop of Tab, which the arrow keys walk through', async () => {
  show(ANSWERS);
  const table = await screen.findByRole('table', { name: 'Events around the case' });
  const links = [...table.querySelectorAll('a')];
  const stops = () => links.map((link) => link.tabIndex);
  // From the first event inside the case on.
  expect(stops()).toEqual([-1, 0, -1]);
  links[1]?.focus();
  for (const [key, at] of [
    ['ArrowDown', 2],
    ['ArrowDown', 2],
    ['Home', 0],
    ['End', 2],
    ['ArrowUp', 1],
  ] as const) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    expect(document.activeElement).toBe(links[at]);
    expect(stops().filter((stop) => stop === 0)).toHaveLength(1);
    expect(links[at]?.tabIndex).toBe(0);
  }
});
