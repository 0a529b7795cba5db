import { describe, expect, it } from 'vitest';
import {
  columnSeconds,
  fixedSeconds,
  countText,
  durationText,
  exactIn,
  exactNs,
  formatDuration,
  ns,
  parseDuration,
  rangeText,
  readable,
  secondsText,
} from './ns';

describe('formatDuration', () => {
  const cases: readonly [number, string, string][] = [
    [0, '0', 'ns'],
    [999, '999', 'ns'],
    [1000, '1.000', 'µs'],
    [9551, '9.551', 'µs'],
    [18551, '18.55', 'µs'],
    [911_000, '911.0', 'µs'],
    [999_949, '999.9', 'µs'],
    [999_950, '1.000', 'ms'],
    [10_966_000, '10.966', 'ms'],
    [13_485_600, '13.486', 'ms'],
    [999_999_499, '999.999', 'ms'],
    [999_999_500, '1.000', 's'],
    [2_163_400_000, '2.163', 's'],
    [4_500_000_000_000, '4,500.000', 's'],
    [-18_551, '−18.55', 'µs'],
    [-999_960, '−1.000', 'ms'],
  ];
  it.each(cases)('%i ns is said as %s %s', (duration, value, unit) => {
    expect(formatDuration(ns(duration))).toEqual({ value, unit });
  });

  it('keeps every nanosecond beside the spoken form', () => {
    expect(exactNs(ns(6_352_118))).toBe('6,352,118\u202fns');
    expect(durationText(ns(6_352_118))).toBe('6.352\u202fms');
    expect(exactIn(ns(1_234_567), 'ms')).toBe('1.234567');
    expect(exactIn(ns(-5_000_000), 'ms')).toBe('-5');
  });

  it('writes a minus before what is negative wherever it is read', () => {
    const before = ns(-1_500_000_000);
    expect(exactNs(before)).toBe('−1,500,000,000\u202fns');
    expect(secondsText(before)).toBe('−1.5\u202fs');
    expect(rangeText(before, ns(0))).toBe('−1.500000000 to 0.000000000\u202fs');
  });

  it('gives the instants of a column as many decimals', () => {
    expect([0, 850_000, -14_000].map((t) => columnSeconds(ns(t)))).toEqual([
      '0.000000000',
      '0.000850000',
      '-0.000014000',
    ]);
    expect(fixedSeconds(ns(-104_232_870))).toBe('−0.104232870\u202fs');
  });

  it('takes for a minus only what a number begins with', () => {
    expect(readable('-5')).toBe('−5');
    expect(readable('6.12-rt')).toBe('6.12-rt');
  });

  it('counts one thing and several in words', () => {
    expect([0, 1, 1024].map((count) => countText(count, 'row'))).toEqual(['0 rows', '1 row', '1,024 rows']);
  });
});

describe('parseDuration', () => {
  it.each([
    ['50us', 50_000],
    ['50 µs', 50_000],
    ['1.5ms', 1_500_000],
    ['2s', 2_000_000_000],
    ['0.000000001s', 1],
    ['123', 123],
    ['-4us', -4000],
    ['−4 µs', -4000],
    ['-0', 0],
  ])('reads %s as %i ns', (text, duration) => {
    expect(parseDuration(text)).toBe(duration);
  });

  it.each(['', 'us', '1.5', '1.0005us', '1e3', '0x10', '9007199254740993', '1 2us', 'NaN', '5m'])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('gives back what exactIn printed', () => {
    for (const value of [0, 1, 999, 1_000_001, 9_007_199_254_740_991, -123_456_789_012]) {
      for (const unit of ['ns', 'µs', 'ms', 's'] as const) {
        expect(parseDuration(exactIn(ns(value), unit) + unit)).toBe(value);
      }
    }
  });
});

it('refuses numbers that are not whole nanoseconds', () => {
  expect(() => ns(0.5)).toThrow(RangeError);
  expect(() => ns(Infinity)).toThrow(RangeError);
  expect(durationText(ns(2 ** 63 - 1))).toBe('9,223,372,036.855\u202fs');
});
