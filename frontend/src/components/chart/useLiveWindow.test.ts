// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { panWindow, zoomWindow, type TimeWindow } from './timeWindow';
import { changeOf, useLiveWindow } from './useLiveWindow';

const DOMAIN = { start: 0, end: 1_000_000 };
const HERE = { start: 200_000, end: 600_000 };
const THERE = { start: 300_000, end: 310_000 };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page whose URL holds the window; `url.write` is what Back or a link does. */
function page() {
  const url = { window: HERE as TimeWindow, history: [] as string[] };
  const rendered = renderHook(() =>
    useLiveWindow(url.window, (next, history) => {
      url.window = { start: Math.round(next.start), end: Math.round(next.end) };
      url.history.push(history);
    }),
  );
  const go = (window: TimeWindow) => {
    url.window = window;
    rendered.rerender();
  };
  return { url, go, live: () => rendered.result.current };
}

function pass(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

test('a jump is in the URL at once, and the picture glides to it', () => {
  const { url, live } = page();
  act(() => live().jump({ start: 300_000.4, end: 310_000.4 }));
  expect(url.window).toEqual(THERE);
  pass(50);
  expect(live().window.start).toBeGreaterThan(HERE.start);
  expect(live().window.start).toBeLessThan(THERE.start);
  pass(200);
  expect(live().window).toEqual(THERE);
  expect(url.history).toEqual(['push']);
});

test('Back during a glide wins, and nothing is written after it', () => {
  const { url, go, live } = page();
  act(() => live().jump(THERE));
  go(THERE);
  pass(50);
  go(HERE);
  expect(live().window).toEqual(HERE);
  pass(500);
  expect(live().window).toEqual(HERE);
  expect(url.window).toEqual(HERE);
  expect(url.history).toEqual(['push']);
});

test('a hand on the chart during a glide takes over from where it is', () => {
  const { url, live } = page();
  act(() => live().jump(THERE));
  pass(50);
  const held = panWindow(live().window, 0.01, DOMAIN);
  act(() => live().move(held));
  pass(100);
  expect(live().window).toEqual(held);
  pass(200);
  expect(url.window).toEqual({ start: Math.round(held.start), end: Math.round(held.end) });
});

test('the end of a gesture that moved nothing leaves a glide alone', () => {
  const { url, live } = page();
  act(() => live().jump(THERE));
  pass(50);
  act(() => live().settle());
  pass(500);
  expect(live().window).toEqual(THERE);
  expect(url.history).toEqual(['push']);
});

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
