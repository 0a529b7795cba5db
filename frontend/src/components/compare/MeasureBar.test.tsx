// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../testing/renderPage';
import { MeasureBar } from './MeasureBar';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const KEY = { kind: 'wakeup', key: null };
const ALL = { ...KEY, cpu: undefined, comm: '', priority: [] } as const;

it.each([
  [ALL, '3,000 samples in 10 traces'],
  [{ ...ALL, cpu: 1 }, 'some of 3,000 samples in 10 traces'],
  [{ ...ALL, priority: ['fair'] as const }, 'some of 3,000 samples in 10 traces'],
])('says of how many samples a page is', async (asked, text) => {
  const measures = [{ ...KEY, samples: 3_000, traces: 10 }];
  const bar = <MeasureBar verb="compare" measures={measures} asked={asked} setState={() => undefined} />;
  renderPage(bar, { at: '/', answers: {} });
  expect(await screen.findByText(text)).toBeDefined();
});
