// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FIXTURE } from '../../components/lanes/timeline.fixture';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { Timeline } from './Timeline';

vi.mock('../../components/chart/Chart', () => import('../../components/testing/FlatChart'));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('names its lanes and has their numbers as a table', async () => {
  renderPage(<Timeline trace={TRACE} />, {
    at: '/t/abcdefghijkl/timeline',
    answers: { '/timeline': FIXTURE, '/events': { items: [], next: null } },
  });
  const lanes = await screen.findByRole('group', { name: 'Timeline of A trace' });
  expect(within(lanes).getByText('CPU 1')).toBeDefined();
  expect(within(lanes).getByText('cpu_frequency kHz')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: /as a table/ }));
  const rows = screen.getAllByText('ksoftirqd/0-12').map((cell) => cell.closest('tr')?.textContent);
  expect(rows).toContain('CPU 0 runningksoftirqd/0-120.0000060004,0001');
});

it('says of the cases, the lanes and the events what went wrong', async () => {
  renderPage(<Timeline trace={TRACE} />, { at: '/t/abcdefghijkl/timeline', answers: {} });
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(3));
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    expect.stringContaining('worst cases'),
    expect.stringContaining('/timeline'),
    expect.stringContaining('/events'),
  ]);
});

const CALLS = {
  tasks: [],
  symbols: ['hrtimer_interrupt', 'hrtimer_wakeup'],
  lanes: [0, 1].map((depth) => ({
    id: 'cpu0',
    depth,
    cpu: 0,
    detail: 'slices',
    t: [1000 + depth],
    duration_ns: [4000 - depth],
    symbol_idx: [depth],
    call_id: [`call-cpu0@${1000 + depth}.${depth}`],
  })),
};

it('has the calls of a trace that has nothing else, and the way to their page', async () => {
  renderPage(<Timeline trace={{ ...TRACE, event_count: 0, slice_count: 3 }} />, {
    at: '/t/abcdefghijkl/timeline?window=0-5000',
    answers: {
      '/timeline': { ...FIXTURE, lanes: [], counters: [] },
      '/calls': CALLS,
      '/events': { items: [], next: null },
    },
  });
  expect(await screen.findByRole('group', { name: 'Calls of A trace on each CPU' })).toBeDefined();
  expect(screen.queryByText('No lanes to draw')).toBeNull();
  const link = screen.getByRole('link', { name: 'Open in Calls' });
  expect(link.getAttribute('href')).toContain('/t/abcdefghijkl/calls');
});

it.each([
  ['no column for the one buffer', [], false],
  [
    'a column for several buffers',
    [
      { name: null, event_count: 9 },
      { name: 'rt', event_count: 3 },
    ],
    true,
  ],
])('has %s', async (_, buffers, expected) => {
  renderPage(<Timeline trace={{ ...TRACE, buffers }} />, {
    at: '/t/abcdefghijkl/timeline',
    answers: { '/timeline': FIXTURE, '/events': { items: [], next: null } },
  });
  const events = await screen.findByRole('table', { name: 'Visible events' });
  const headings = within(events).getAllByRole('columnheader');
  expect(headings.some((heading) => heading.textContent === 'buffer')).toBe(expected);
});

it.each([
  [{ event_count: 0, call_count: 9 }, '', 'This trace holds no events, only calls: open its calls'],
  [{ event_count: 0, call_count: 0 }, '', 'This trace holds no events.'],
  [{ event_count: 9, call_count: 0 }, '', /^No events in this window\. Zoom out \(S\)/],
  [
    { event_count: 9, call_count: 0 },
    '?cpu=1',
    /^No events in this window on these CPUs\. .* show more CPUs/,
  ],
  [{ event_count: 9, call_count: 0 }, '?q=irq', /^No visible event matches the filter/],
])('says of %o at %j that %s', async (counts, search, expected) => {
  renderPage(<Timeline trace={{ ...TRACE, ...counts }} />, {
    at: `/t/abcdefghijkl/timeline${search}`,
    answers: { '/timeline': FIXTURE, '/events': { items: [], next: null } },
  });
  const note = (_: string, element: Element | null) => {
    const text = element?.tagName === 'P' ? (element.textContent ?? '') : '';
    return typeof expected === 'string' ? text === expected : expected.test(text);
  };
  expect(await screen.findByText(note)).toBeDefined();
});

it('says how many lanes one page cannot hold, and leads to the others', async () => {
  const cpus = Array.from({ length: 40 }, (_, cpu) => cpu);
  renderPage(<Timeline trace={{ ...TRACE, cpus, cpu_count: 40 }} />, {
    at: '/t/abcdefghijkl/timeline',
    answers: {
      '/timeline': { ...FIXTURE, hidden_lanes: 1_204 },
      '/events': { items: [], next: null },
    },
  });
  const note = await screen.findByText(/^1,204 of 1,2\d\d lanes do not fit on one page/);
  expect(note.closest('[role=status]')).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show CPU 2-17' }));
  await waitFor(() =>
    expect(screen.getByLabelText(/^CPUs to show/)).toHaveProperty(
      'value',
      '2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17',
    ),
  );
});

const BARE = { ...TRACE, call_count: 0 };

it('says what to record where nothing can be drawn, and nothing about pointing at lanes', async () => {
  renderPage(<Timeline trace={BARE} />, {
    at: '/t/abcdefghijkl/timeline?window=0-5000',
    answers: { '/timeline': { ...FIXTURE, lanes: [], counters: [] }, '/events': { items: [], next: null } },
  });
  expect(await screen.findByText('No lanes to draw')).toBeDefined();
  expect(screen.queryByText(/Hover over a lane/)).toBeNull();
});

it('shows all lanes again where somebody has hidden all of them', async () => {
  const kinds = new Set([...FIXTURE.lanes.map(({ kind }) => kind), 'counter']);
  renderPage(<Timeline trace={BARE} />, {
    at: `/t/abcdefghijkl/timeline?window=0-5000&hide=${[...kinds].join(',')}`,
    answers: { '/timeline': FIXTURE, '/events': { items: [], next: null } },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show all lanes' }));
  expect(await screen.findByText(/Hover over a lane/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Show all lanes' })).toBeNull();
});

it('says in the place of the switches for arrows why there are none', async () => {
  renderPage(<Timeline trace={TRACE} />, {
    at: '/t/abcdefghijkl/timeline',
    answers: { '/timeline': FIXTURE, '/events': { items: [], next: null }, '/arrows': { recorded: [] } },
  });
  const arrows = await screen.findByRole('group', { name: 'Arrows' });
  expect(arrows.textContent).toContain('no wakeups');
  expect(within(arrows).queryByRole('button')).toBeNull();
});
