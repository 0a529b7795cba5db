import { expect, test } from 'vitest';
import { noWorstText } from './noWorst';

const trace = {
  status: 'ready',
  worst: null,
  is_measurement: false,
  event_count: 0,
  call_count: 0,
  facts: {},
} as const;

test.each([
  [
    { is_measurement: true, event_count: 2000, facts: { quantum_ns: '1000000' } },
    '2,000 counts of work in quanta of 1.000\u202fms: no durations, so no worst case',
  ],
  [{ is_measurement: true, event_count: 1, facts: {} }, '1 count of work: no durations, so no worst case'],
  [{ event_count: 31 }, '31 events: no latency among them'],
  [{ event_count: 1, call_count: 12 }, '1 event, 12 calls: no latency among them'],
  [{}, 'no events'],
  [{ status: 'queued' }, undefined],
])('says what is there instead of a worst case: %o', (facts, expected) => {
  expect(noWorstText({ ...trace, ...facts } as Parameters<typeof noWorstText>[0])).toBe(expected); // statuses are a union
});
