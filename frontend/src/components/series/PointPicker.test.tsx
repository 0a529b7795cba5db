// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { clockOf } from '../../lib/clock';
import { useLiveWindow } from '../chart/useLiveWindow';
import { ClockContext } from '../clock/useClock';
import { renderPage } from '../testing/renderPage';
import { PointPicker } from './PointPicker';
import type { SeriesPlot } from './series';

interface DrawnProps {
  readonly plot: SeriesPlot;
  readonly onHover: (hovered: { readonly point: object; readonly at: number }) => void;
}

vi.mock('./SeriesChart', () => ({
  SeriesChart: ({ plot, onHover }: DrawnProps) => (
    <button onClick={() => onHover({ point: { lane: 0, index: 0 }, at: 0 })}>
      {plot.axis.ticks.map(({ label }) => label).join(' ')}
    </button>
  ),
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LANES = [
  { cpu: 1, t: [345_217_042, 400_000_000], duration_ns: [61_400, 614_000], count: [1, 1], id: ['a', 'b'] },
];
const DOMAIN = { start: 0, end: 500_000_000 };

function Picker() {
  const live = useLiveWindow(DOMAIN, () => undefined);
  return (
    <PointPicker
      label="Calls"
      lanes={LANES}
      domain={DOMAIN}
      live={live}
      hint="Click"
      touchHint="Tap"
      renderedMark="calls"
      onPick={() => undefined}
    />
  );
}

test.each([
  ['ns', '100\u202fµs', 'duration 61.40\u202fµs (61,400\u202fns)CPU 1at 0.345217042\u202fs'],
  ['ticks', '100\u202fk', 'duration 61,400 clock ticksCPU 1at 345,217,042'],
])('of a clock in %s, the axis and the point are said in its steps', async (unit, tick, said) => {
  renderPage(
    <ClockContext value={clockOf(unit)}>
      <Picker />
    </ClockContext>,
    { at: '/', answers: {} },
  );
  const plot = await screen.findByRole('button', { name: new RegExp(tick) });
  fireEvent.click(plot);
  expect(screen.getByTestId('point-hover').textContent).toBe(said);
});
