// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { INTERFERENCE } from '../../../api/latencies.fixture';
import { ClockContext } from '../../../components/clock/useClock';
import { renderPage } from '../../../components/testing/renderPage';
import { clockOf } from '../../../lib/clock';
import { traceState } from '../../../viewState/trace';
import { InterferencePanel } from './InterferencePanel';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const tick = {
  cpu: 0,
  is_handler_known: true,
  count: 8,
  mean_ns: 3,
  max_ns: 8,
  rate_hz_milli: 129_629_629_629,
  share: 0.011,
};

it.each([
  ['ticks', 'Tick on CPU 0: 8 · mean 3 clock ticks · longest 8 clock ticks · 1.1 % of the CPU', false],
  ['ns', 'Tick on CPU 0: 8 · 129629629.629 Hz · mean 3 ns · longest 8 ns · 1.1 % of the CPU', true],
])('of a clock in %s', async (unit, sentence, hasTime) => {
  renderPage(
    <ClockContext value={clockOf(unit)}>
      <InterferencePanel
        traceId="abcdefghijkl"
        durationNs={10_000}
        state={traceState.read({}).state}
        setState={() => undefined}
      />
    </ClockContext>,
    { at: '/t/abcdefghijkl', answers: { '/interference': { ...INTERFERENCE, ticks: [tick] } } },
  );
  const item = await screen.findByRole('listitem');
  expect(item.textContent.replaceAll('\u202f', ' ')).toBe(sentence);
  expect(screen.queryByText(/, in clock ticks$/) === null).toBe(hasTime);
  expect(/\d\s?(ns|µs|ms|s)\b/u.test(screen.getByRole('table').textContent)).toBe(hasTime);
});
