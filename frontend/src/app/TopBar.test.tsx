// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '../components/testing/renderPage';
import { TopBar } from './TopBar';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nothing = () => undefined;

test.each([
  ['/', 'Traces', 'page'],
  ['/experiments', 'Experiments', 'page'],
  ['/experiments/before-and-after', 'Experiments', 'true'],
  ['/compare?variants=before%3Daaaa', 'Experiments', 'true'],
  ['/trend?labels=board%3Arpi5', 'Experiments', 'true'],
  ['/query', 'Query', 'page'],
])('at %s the bar says that one is at %s', async (at, place, current) => {
  renderPage(<TopBar traceId={undefined} onFind={nothing} onShare={nothing} onHelp={nothing} />, {
    at,
    answers: {},
  });
  const link = await screen.findByRole('link', { name: place });
  expect(link.getAttribute('aria-current')).toBe(current);
  expect(document.querySelectorAll('nav [aria-current]')).toHaveLength(1);
});

test('the tabs of a trace come with the name before them', async () => {
  let arrive: (trace: unknown) => void = nothing;
  const trace = new Promise((resolve) => {
    arrive = resolve;
  });
  renderPage(<TopBar traceId="gq3tqmzqmjrd" onFind={nothing} onShare={nothing} onHelp={nothing} />, {
    at: '/t/gq3tqmzqmjrd',
    answers: { '/traces/gq3tqmzqmjrd': trace },
  });
  await screen.findByText('jitterscope');
  expect(screen.queryByRole('link', { name: 'Calls' })).toBeNull();
  expect(screen.getByText('Calls')).not.toBeNull();
  arrive({ id: 'gq3tqmzqmjrd', name: 'a trace', worst: null });
  await screen.findByRole('link', { name: 'Calls' });
  expect(screen.getByText('a trace')).not.toBeNull();
});

test.each([
  ['of measurements, also where its values are no durations', { is_measurement: true }],
  ['that could not be read', { status: 'failed' }],
])('a file %s has its overview alone', async (_, kind) => {
  renderPage(<TopBar traceId="gq3tqmzqmjrd" onFind={nothing} onShare={nothing} onHelp={nothing} />, {
    at: '/t/gq3tqmzqmjrd',
    answers: { '/traces/gq3tqmzqmjrd': { id: 'gq3tqmzqmjrd', name: 'counts', worst: null, ...kind } },
  });
  await screen.findByRole('link', { name: 'Overview' });
  expect(screen.queryByText('Timeline')).toBeNull();
});

test('a trace that is not there has no tabs: the bar leads to other pages', async () => {
  renderPage(<TopBar traceId="nosuchtrace1" onFind={nothing} onShare={nothing} onHelp={nothing} />, {
    at: '/t/nosuchtrace1',
    answers: {},
  });
  await screen.findByRole('link', { name: 'Experiments' });
  expect(screen.queryByText('Calls')).toBeNull();
});

test('a recording of calls alone has no timeline: its calls over time are that', async () => {
  const calls = { id: 'gq3tqmzqmjrd', name: 'calls', worst: null, call_count: 900, slice_count: 900 };
  renderPage(<TopBar traceId="gq3tqmzqmjrd" onFind={nothing} onShare={nothing} onHelp={nothing} />, {
    at: '/t/gq3tqmzqmjrd',
    answers: { '/traces/gq3tqmzqmjrd': calls },
  });
  await screen.findByRole('link', { name: 'Calls' });
  expect(screen.queryByText('Timeline')).toBeNull();
});
