// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../components/testing/renderPage';
import { TRACE } from '../../../components/testing/trace.fixture';
import { callsState } from '../../../viewState/calls';
import { FunctionList } from './FunctionList';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ROW = { symbol: 'ktime_get', module: null, count: 3, self_ns: 400, total_ns: 400, max_ns: 200 };

it.each([
  ['the whole trace', undefined, null],
  ['a part of it', { start: 1_000, end: 3_000 }, 'Times in the whole trace; the chart shows 2.000 µs of it'],
])(
  'its times are those of the whole trace, which it says beside a chart of %s',
  async (_, window, expected) => {
    const state = { ...callsState.read({}).state, window } as ReturnType<typeof callsState.read>['state'];
    renderPage(<FunctionList trace={TRACE} state={state} setState={() => undefined} switches={null} />, {
      at: '/t/abcdefghijkl/calls',
      answers: { '/functions': { items: [ROW], next: null } },
    });
    await screen.findByText('ktime_get');
    const said = screen.queryByText(/whole trace/)?.textContent ?? null;
    expect(said?.replaceAll('\u202f', ' ') ?? null).toBe(expected);
  },
);
