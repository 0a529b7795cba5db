import { expect, test } from 'vitest';
import { panWindow, zoomWindow } from './timeWindow';
import { changeOf } from './useLiveWindow';

const DOMAIN = { start: 0, end: 1_000_000 };
const HERE = { start: 200_000, end: 600_000 };

test.each([0.8, 1.25])('a zoom by %d is a step of its own', (factor) =>
  expect(changeOf(HERE, zoomWindow(HERE, factor, 0.3, DOMAIN))).toBe('push'),
);

test.each([-0.9, -0.1, 0.1, 0.9])('a pan by %d belongs to the step before', (share) =>
  expect(changeOf(HERE, panWindow(HERE, share, DOMAIN))).toBe('replace'),
);

test('what did not move is not written', () => {
  expect(changeOf(HERE, { ...HERE })).toBeUndefined();
  expect(changeOf(HERE, { start: HERE.start + 0.2, end: HERE.end + 0.2 })).toBeUndefined();
  // At the end of the trace a pan leads nowhere.
  const last = { start: 600_000, end: 1_000_000 };
  expect(changeOf(last, panWindow(last, 0.1, DOMAIN))).toBeUndefined();
});
