import { expect, it } from 'vitest';
import { headlineOf } from './headline';

const MISSING =
  '+137.88 µs: 148.70 µs in calls missing from the normal run (hrtimer_wakeup under __hrtimer_run_queues; 3 more places)';
const ELSEWHERE =
  '−114.43 µs in calls made elsewhere in the abnormal run (tick_program_event, 3 µs of it late), 93.46 µs in calls made elsewhere in the normal run, 1.48 µs in 3 smaller differences.';

it('leaves a short summary whole', () => {
  const summary =
    '+10.06 µs: 8.37 µs in calls missing from the normal run (a, b, c under d), 1.69 µs in slower calls.';
  expect(headlineOf(summary)).toMatchObject({ headline: summary, rest: undefined });
});

it('is of the largest part where all together are too long', () => {
  expect(headlineOf(`${MISSING}, ${ELSEWHERE}`)).toEqual({
    headline: `${MISSING}.`,
    rest: ELSEWHERE,
    isSameSentence: true,
  });
});

it('takes as many parts as a headline may have words, and cuts none in its brackets', () => {
  const parts = [
    '+9 ms: 5 ms in calls missing from the normal run',
    '3 ms in slower calls (a, 2 ms of it at night)',
  ];
  const rest = Array.from({ length: 12 }, (_, at) => `${at} µs in calls of f${at}`).join(', ');
  const { headline, rest: others } = headlineOf([...parts, rest].join(', '));
  const first = headline.slice(0, -1);
  expect(`${first}, ${others}`).toBe([...parts, rest].join(', '));
  expect(first.split(' ').length).toBeLessThanOrEqual(30);
  expect(first).toContain('at night)');
});

it('stays whole where no part begins with an amount', () => {
  const summary = `Equally long: ${'word '.repeat(40)}`;
  expect(headlineOf(summary)).toMatchObject({ headline: summary, rest: undefined });
});

it('ends with a sentence, and not at an amount within one', () => {
  const causes =
    '−2.959 µs: interrupts took 5.000 µs less: local_timer 6.000 µs, reschedule −1.000 µs; the CPU was idle 2.041 µs longer.';
  const stage = 'Most of the difference, −4.000 µs, lies between wakeup and switch to the task.';
  expect(headlineOf(`${causes} ${stage}`)).toEqual({
    headline: causes,
    rest: stage,
    isSameSentence: false,
  });
});

it('reads amounts of clock ticks, too', () => {
  const parts = MISSING.replaceAll(' µs', ' clock ticks').replace('137.88', '137,880');
  const rest = ELSEWHERE.replaceAll(' µs', ' clock ticks').replace('114.43', '114,430');
  expect(headlineOf(`${parts}, ${rest}`)).toMatchObject({ headline: `${parts}.`, rest });
});
