import { expect, it } from 'vitest';
import { arrowsAt, nearestArrow, type Arrow, type ArrowPlace } from './arrow';

type End = readonly [t: number, cpu: number, pid: number];

function arrow(kind: string, [t, cpu, pid]: End, [toT, toCpu, toPid]: End): Arrow {
  const id = `${kind} ${t}-${toT}`;
  const from = { t, cpu, pid, task: `t-${pid}` };
  return { id, kind, what: '', from, to: { t: toT, cpu: toCpu, pid: toPid, task: `t-${toPid}` } };
}

const ARROWS = [
  arrow('timer', [100, 0, 7], [900, 1, 0]),
  arrow('wakeup', [910, 1, 0], [950, 1, 7]),
  arrow('wakeup', [960, 1, 7], [990, 2, 8]),
  arrow('softirq', [970, 1, 7], [970, 1, 7]),
];

const ids = (arrows: readonly Arrow[]) => arrows.map(({ id }) => id);

it('finds the arrows that begin or end in a stretch of a CPU, the nearest to its start first', () => {
  const place: ArrowPlace = { start: 940, end: 980, cpu: 1 };
  expect(ids(arrowsAt(ARROWS, place, 'forward'))).toEqual(['wakeup 960-990', 'softirq 970-970']);
  expect(ids(arrowsAt(ARROWS, place, 'backward'))).toEqual(['wakeup 910-950', 'softirq 970-970']);
});

it('finds what woke a task where it waits, though that lies on another lane', () => {
  expect(ids(arrowsAt(ARROWS, { start: 910, end: 950, pid: 7 }, 'backward'))).toEqual(['wakeup 910-950']);
  expect(ids(arrowsAt(ARROWS, { start: 300, end: 910, pid: 7 }, 'backward'))).toEqual(['wakeup 910-950']);
});

const follow = (place: ArrowPlace, side: 'backward' | 'forward') => nearestArrow(ARROWS, place, side)?.id;

it('follows what is listed for an event: what led to it and its handler, and what it caused in there', () => {
  const handler = { start: 900, end: 940, cpu: 1 };
  expect(follow({ start: 950, end: 999, cpu: 1 }, 'backward')).toBe('wakeup 910-950');
  expect(follow({ ...handler, at: 910 }, 'backward')).toBe('timer 100-900');
  expect(follow({ ...handler, at: 900 }, 'forward')).toBe('wakeup 910-950');
  expect(follow({ ...handler, at: 920 }, 'forward')).toBeUndefined();
  expect(follow({ start: 100, end: 100, cpu: 0 }, 'backward')).toBeUndefined();
});

it('follows nothing that begins later, and nothing that leads nowhere', () => {
  expect(follow({ start: 900, end: 900, cpu: 1 }, 'forward')).toBeUndefined();
  expect(follow({ start: 965, end: 975, cpu: 1 }, 'forward')).toBeUndefined();
  expect(follow({ start: 950, end: 999, cpu: 1 }, 'forward')).toBe('wakeup 960-990');
});
