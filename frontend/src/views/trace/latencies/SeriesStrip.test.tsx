// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { SERIES } from '../../../components/series/series.fixture';
import { seriesPlot } from '../../../components/series/series';
import { SeriesStrip } from './SeriesStrip';

afterEach(cleanup);

it.each([
  [18_551, null],
  [9_000, 'by a new task that began its sleep too late, so ranked last'],
])('beside a list whose worst took %s ns', (worstNs, note) => {
  const plot = seriesPlot(SERIES, { start: 0, end: 2_000_001 }, 'log', []);
  render(<SeriesStrip plot={plot} point={undefined} worstNs={worstNs} />);
  expect(screen.getByText(/18\.55/)).toBeTruthy();
  expect(screen.queryByText(/ranked last/)?.textContent ?? null).toBe(note);
});
