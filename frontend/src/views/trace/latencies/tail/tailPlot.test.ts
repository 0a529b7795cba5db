import { expect, test } from 'vitest';
import { TAIL } from '../../../../api/tail.fixture';
import { rangeOf, tailPlot } from './tailPlot';

const plot = tailPlot(TAIL);

test('every nine is as wide as the one before, and the last band has room', () => {
  expect(plot.bands.map(({ left }) => Number(left.toFixed(2)))).toEqual([0, 0.3, 1, 2]);
  expect(plot.end).toBeCloseTo(3);
});

test('the causes of each band fill its whole time, and those of the tail lie at the foot', () => {
  expect(plot.causes.map(({ what }) => what).slice(0, 3)).toEqual([
    'hackbench',
    'console_unlock',
    'local_timer',
  ]);
  for (const band of plot.bands.keys()) {
    const boxes = plot.boxes.filter((box) => box.band === band);
    expect(boxes[0]?.from).toBe(0);
    expect(boxes.at(-1)?.to).toBe(1);
    boxes.slice(1).forEach((box, at) => expect(box.from).toBe(boxes[at]?.to));
  }
});

test('small causes are one, and none is lost', () => {
  const [first] = TAIL.bands;
  if (first === undefined) throw new Error('the fixture has bands');
  const causes = Array.from({ length: 30 }, (_, at) => ({
    cause: 'task',
    what: `task-${at}`,
    duration_ns: 100 - at,
    share_ppm: 100 - at,
    mechanisms: [],
  }));
  const total_ns = causes.reduce((sum, { duration_ns }) => sum + duration_ns, 0);
  const many = tailPlot({ bands: [{ ...first, causes, total_ns }] });
  expect(many.causes).toHaveLength(10);
  expect(many.causes.at(-1)?.what).toBe('smaller causes');
  expect(many.boxes.at(-1)?.to).toBe(1);
});

test('a band is asked for by its shortest and its longest sample', () => {
  expect(rangeOf({ min_ns: 21_000, max_ns: 21_000 })).toEqual({ start: 21_000, end: 21_001 });
});

test('chosen durations stand beside the bands, unless they are one of them', () => {
  const [first, second] = TAIL.bands;
  if (first === undefined || second === undefined) throw new Error('the fixture has bands');
  const chosen = { ...second, name: 'chosen', min_ns: first.min_ns };
  const withChosen = tailPlot({ ...TAIL, chosen });
  expect(withChosen.bands.map(({ band }) => band.name)).toEqual([
    ...plot.bands.map(({ band }) => band.name),
    'chosen',
  ]);
  expect(withChosen.bands.at(-1)?.left).toBeGreaterThan(plot.end);
  expect(withChosen.causes).toEqual(plot.causes);
  expect(tailPlot({ ...TAIL, chosen: { ...second, name: 'chosen' } }).bands).toHaveLength(plot.bands.length);
});
