// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ProblemError, readProblem } from '../lib/problem';
import { renderPage } from './testing/renderPage';
import { TRACE } from './testing/trace.fixture';
import { WindowText } from './chart/WindowText';
import { TraceGate } from './TraceGate';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('leads from a view of a trace that does not exist to those that do, with nothing to retry', async () => {
  const error = new ProblemError(readProblem(404, { title: 'Not found' }));
  const query = { data: undefined, error, refetch: () => undefined };
  renderPage(<TraceGate query={query}>{() => null}</TraceGate>, {
    at: '/t/nosuchtrace1/timeline',
    answers: {},
  });
  expect((await screen.findByRole('link', { name: 'All traces' })).getAttribute('href')).toBe('/');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Not found');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it.each([
  ['ticks', '5 + 2,333 clock ticks'],
  ['ns', '0.000000005 s + 2.333 µs'],
])('says the times of a trace in its own unit, %s', async (time_unit, text) => {
  const query = { data: { ...TRACE, time_unit }, error: null, refetch: () => undefined };
  renderPage(
    <TraceGate query={query}>
      {() => <WindowText window={{ start: 5, end: 2_338 }} isLoading={false} />}
    </TraceGate>,
    { at: '/t/abcdefghijkl/timeline', answers: {} },
  );
  expect((await screen.findByTestId('window')).textContent.replaceAll('\u202f', ' ')).toBe(text);
});
