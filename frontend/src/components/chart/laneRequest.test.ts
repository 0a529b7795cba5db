import { expect, test } from 'vitest';
import { laneStretch, neighbourWindows } from './laneRequest';

const domain = { start: 0, end: 2_163_000_001 };

test('covers the window with some room on both sides', () => {
  for (let start = 0; start < 50_000; start += 777) {
    for (const span of [100, 8_191, 8_192, 8_193, 40_000]) {
      const window = { start: 1_000_000 + start, end: 1_000_000 + start + span };
      const stretch = laneStretch(window, domain, 1600);
      expect(stretch.start).toBeLessThanOrEqual(window.start - span / 5);
      expect(stretch.end).toBeGreaterThanOrEqual(window.end);
    }
  }
});

test('asks for at least a column a pixel, and never more than the server gives', () => {
  const window = { start: 1_000_000, end: 1_009_000 };
  const stretch = laneStretch(window, domain, 1200);
  expect(stretch.width / (stretch.end - stretch.start)).toBeGreaterThanOrEqual(1200 / 9_000);
  expect(laneStretch(window, domain, 4000).width).toBe(5000);
});

test('small pans and zooms ask for the same again', () => {
  const first = laneStretch({ start: 1_000_000, end: 1_010_000 }, domain, 1600);
  expect(laneStretch({ start: 1_000_300, end: 1_010_300 }, domain, 1600)).toEqual(first);
  expect(laneStretch({ start: 1_000_100, end: 1_009_900 }, domain, 1600)).toEqual(first);
});

test('stays inside the trace', () => {
  expect(laneStretch(domain, domain, 1600)).toMatchObject(domain);
  expect(neighbourWindows(domain, domain)).toEqual([]);
  expect(neighbourWindows({ start: 0, end: 1000 }, domain)).toHaveLength(2);
});
