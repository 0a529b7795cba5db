import { expect, test } from 'vitest';
import { ns } from '../../lib/ns';
import { callsState, type CallsState } from '../../viewState/calls';
import { openingCallOf, wantsOpeningCall } from './openingCall';

const FRESH = callsState.read({}).state;
const MANY = { call_count: 42_524 };

test('a long trace that is opened without a choice wants a call to open on', () =>
  expect(wantsOpeningCall(MANY, FRESH)).toBe(true));

test.each<[string, Partial<CallsState>]>([
  ['a window', { window: { start: ns(0), end: ns(10) } }],
  ['a call', { call: 'call-7@1.0' }],
  ['a CPU', { cpu: [1] }],
  ['a task', { pid: [7] }],
  ['another form', { show: 'graph' }],
])('%s is a choice', (_, chosen) => expect(wantsOpeningCall(MANY, { ...FRESH, ...chosen })).toBe(false));

test.each([0, 200, null])('%s calls are readable as a whole', (call_count) =>
  expect(wantsOpeningCall({ call_count }, FRESH)).toBe(false),
);

const stat = (symbol: string, max_ns: number, t: number) => ({
  symbol,
  max_ns,
  slowest: { id: `call-7@${t}.0`, t, cpu: 0, pid: 7, comm: 'sh' },
});

test('the page opens on the slowest call of the function that took most', () =>
  expect(openingCallOf([stat('irq', 100, 5), stat('tick', 90, 6)], 1_000)).toEqual({
    id: 'call-7@5.0',
    symbol: 'irq',
    window: { start: 0, end: 120 },
    isFirst: true,
  }));

test.each([
  ['that took most of the trace', stat('sleep', 101, 5)],
  ['that began before the recording', stat('sleep', 100, -1)],
])('a call %s is passed over, and that is said', (_, passed) => {
  expect(openingCallOf([passed, stat('tick', 90, 6)], 1_000)).toMatchObject({
    symbol: 'tick',
    isFirst: false,
  });
  expect(openingCallOf([passed], 1_000)).toBeUndefined();
});
