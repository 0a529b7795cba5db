import { expect, test } from 'vitest';
import { shownBands, type ShownBand } from './shownBands';

const band = (name: string, count: number, causes: Readonly<Record<string, number>>): ShownBand => {
  const total_ns = Object.values(causes).reduce((sum, one) => sum + one, 0);
  const [min_ns, max_ns] = [count * 10, count * 10 + 5];
  const listed = Object.entries(causes).map(([what, duration_ns]) => ({
    cause: 'task',
    what,
    duration_ns,
    share_ppm: 0,
  }));
  return { name, from_ppm: 0, to_ppm: 0, count, total_ns, min_ns, max_ns, causes: listed };
};

test('bands with enough samples stay', () => {
  const bands = [
    band('0-50 %', 500, { sh: 5 }),
    band('50-90 %', 400, { sh: 5 }),
    band('90-99 %', 10, { sh: 5 }),
  ];
  expect(shownBands(bands)).toEqual(bands);
});

test('of 296 samples there is no band of one', () => {
  const bands = [
    band('0-50 %', 121, { sh: 5 }),
    band('50-90 %', 160, { sh: 5 }),
    band('90-99 %', 12, { sh: 30, rt: 10 }),
    band('99-99.9 %', 2, { rt: 40 }),
    band('99.99-100 %', 1, { rt: 15, idle: 5 }),
  ];
  const shown = shownBands(bands);
  expect(shown.map(({ name, count }) => [name, count])).toEqual([
    ['0-50 %', 121],
    ['50-90 %', 160],
    ['90-100 %', 15],
  ]);
  expect(shown.at(-1)).toMatchObject({ total_ns: 100, min_ns: 120, max_ns: 15 });
  expect(
    shown.at(-1)?.causes.map(({ what, duration_ns, share_ppm }) => [what, duration_ns, share_ppm]),
  ).toEqual([
    ['rt', 65, 650_000],
    ['sh', 30, 300_000],
    ['idle', 5, 50_000],
  ]);
});

test('few samples are one band, however few', () => {
  const few = [
    band('0-50 %', 3, { sh: 5 }),
    band('50-90 %', 2, { sh: 5 }),
    band('99.99-100 %', 1, { sh: 5 }),
  ];
  expect(shownBands(few).map(({ name, count }) => [name, count])).toEqual([['0-100 %', 6]]);
  expect(shownBands([])).toEqual([]);
});
