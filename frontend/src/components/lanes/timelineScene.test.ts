import { expect, test } from 'vitest';
import { contrastRatio, taskColour, type Colour } from '../../lib/colour';
import { PALETTES } from '../../lib/palette';
import { sceneHeight } from '../chart/laneScene';
import { fillLanes, planLanes } from './laneModel';
import { mostLanesPx, timelineScene } from './timelineScene';
import { bareLane, FIXTURE } from './timeline.fixture';

const lanes = fillLanes(planLanes([FIXTURE], { cpu: [], hide: [] }), FIXTURE);

test.each(['dark', 'light'] as const)('colours say what runs in %s', (name) => {
  const palette = PALETTES[name];
  const scene = timelineScene(lanes, FIXTURE, { name, palette });
  const colours = scene.rows.map((row) =>
    row.items.fill.map((fill) => (fill === undefined ? 'empty' : scene.fills[fill])),
  );
  const cyclictest = taskColour('cyclictest', name, 1213);
  expect(colours).toEqual([
    ['empty', cyclictest, palette.kernelThread],
    [palette.irq, palette.irq],
    [cyclictest, palette.kernelThread],
    [],
  ]);
});

test('buckets are as high as they are busy, and carry no name', () => {
  const scene = timelineScene(lanes, FIXTURE, { name: 'dark', palette: PALETTES.dark });
  expect(scene.rows[2]?.items.level).toEqual([0.5, 0.08]);
  expect(scene.rows[2]?.items.text).toBeUndefined();
  expect(scene.rows[0]?.items.text?.map((text) => scene.texts[text ?? -1])).toEqual([
    undefined,
    'cyclictest-1213',
    'ksoftirqd/0-12',
  ]);
});

const bandsOf = (cpu: number | null) => {
  const answer = { ...FIXTURE, losses: [{ cpu, start: 1, end: 2, lost_count: null }] };
  return timelineScene(lanes, answer, { name: 'dark', palette: PALETTES.dark }).bands;
};

const heightsIn = (room: number) =>
  timelineScene(lanes, FIXTURE, { name: 'dark', palette: PALETTES.dark }, { room }).rows.map(
    ({ height }) => height,
  );

test('rows grow into the room that there is, within limits', () => {
  expect(heightsIn(0)).toEqual([18, 18, 18, 18]);
  expect(heightsIn(4 * 25 + 6)).toEqual([25, 25, 25, 25]);
  expect(heightsIn(4 * 64 + 6)).toEqual([64, 64, 64, 64]);
});

test('rows of tasks take the room that is left', () => {
  expect(heightsIn(4 * 64 + 6 + 100)).toEqual([114, 64, 114, 64]);
  expect(heightsIn(1_000)).toEqual([368, 64, 368, 64]);
});

test('rows of a trace without tasks are as high as beside them', () => {
  const others = lanes.filter(({ kind }) => kind !== 'sched');
  const look = { name: 'dark', palette: PALETTES.dark } as const;
  const heights = timelineScene(others, FIXTURE, look, { room: 300 }).rows.map(({ height }) => height);
  expect(heights).toEqual([64, 64]);
});

test('few rows fill most of a wall all the same', () => {
  expect(heightsIn(1_200)).toEqual([417, 64, 417, 64]);
  const look = { name: 'dark', palette: PALETTES.dark } as const;
  const [only] = timelineScene(lanes.slice(0, 1), FIXTURE, look, { room: 1_000 }).rows;
  expect(only?.height).toBe(700);
});

test('loss covers the rows of its CPU, or all where no CPU is known', () => {
  expect(bandsOf(1)).toEqual([{ start: 1, end: 2, firstRow: 2, lastRow: 3, kind: 'loss' }]);
  expect(bandsOf(null)).toEqual([{ start: 1, end: 2, firstRow: 0, lastRow: 3, kind: 'loss' }]);
  expect(bandsOf(9)).toEqual([]);
});

test('names of idle states stay readable', () => {
  for (const name of ['dark', 'light'] as const) {
    const answer = {
      ...FIXTURE,
      symbols: ['state=0', 'state=9'],
      lanes: [
        bareLane({
          id: 'cpu0.idle',
          cpu: 0,
          kind: 'idle',

          t: [0, 5],
          duration_ns: [5, 5],
          symbol_idx: [0, 1],
        }),
      ],
    };
    const scene = timelineScene(fillLanes(planLanes([answer], { cpu: [], hide: [] }), answer), answer, {
      name,
      palette: PALETTES[name],
    });
    for (const index of scene.rows[0]?.items.fill ?? []) {
      const fill = scene.fills[index ?? -1];
      expect(contrastRatio(PALETTES[name].onSlice, fill as Colour)).toBeGreaterThanOrEqual(4.5); // scenes hold what the palette gave
    }
  }
});

const laneOf = (kind: string, symbol_idx: readonly number[]) =>
  bareLane({
    id: `cpu0.${kind}`,
    cpu: 0,
    kind,
    t: symbol_idx.map((_, at) => 10 * at),
    duration_ns: symbol_idx.map(() => 5),
    symbol_idx,
  });

test('a kind that the page has never heard of is drawn in a neutral colour, by what it names or its own name', () => {
  const dma = {
    name: 'dma',
    lane: 'DMA',
    title: 'DMA transfer',
    colour: 'rainbow',
    rows: [],
    begins: [],
    ends: [],
  };
  const answer = {
    ...FIXTURE,
    symbols: ['channel 3'],
    kinds: [...FIXTURE.kinds, dma],
    lanes: [laneOf('dma', [0]), bareLane({ ...laneOf('usb', [0]), symbol_idx: [null] })],
  };
  const palette = PALETTES.light;
  const planned = fillLanes(planLanes([answer], { cpu: [0], hide: [] }), answer);
  const scene = timelineScene(planned, answer, { name: 'light', palette });
  expect(
    scene.rows.map(({ label, items }) => [
      label,
      scene.fills[items.fill[0] ?? -1],
      scene.texts[items.text?.[0] ?? -1],
    ]),
  ).toEqual([
    ['DMA', palette.otherSlice, 'channel 3'],
    ['usb', palette.otherSlice, 'usb'],
  ]);
});

test('interrupts off are hatched more densely than preemption off, and noise has the colour of its source', () => {
  const symbols = [
    'console_unlock ← vprintk_emit',
    'irq local_timer:236',
    'softirq RCU:9',
    'thread bash-183',
    'hardware',
  ];
  const answer = {
    ...FIXTURE,
    symbols,
    lanes: [laneOf('irqsoff', [0]), laneOf('preemptoff', [0]), laneOf('noise', [1, 2, 3, 4])],
  };
  const palette = PALETTES.dark;
  const planned = fillLanes(planLanes([answer], { cpu: [0], hide: [] }), answer);
  const scene = timelineScene(planned, answer, { name: 'dark', palette });
  const [irqsOff, preemptOff, noise] = scene.rows;
  expect(irqsOff?.hatchPx ?? 0).toBeLessThan(preemptOff?.hatchPx ?? 0);
  expect(irqsOff?.items.text?.map((text) => scene.texts[text ?? -1])).toEqual([symbols[0]]);
  expect(noise?.items.fill.map((fill) => scene.fills[fill ?? -1])).toEqual([
    palette.irq,
    palette.softirq,
    taskColour('bash', 'dark', 183),
    palette.loss,
  ]);
});

test('the colour and the name of a task are worked out once, however often it ran', () => {
  let reads = 0;
  const task = {
    pid: 1213,
    get comm() {
      reads += 1;
      return 'cyclictest';
    },
  };
  const runs = Array.from({ length: 1_000 }, (_, index) => index);
  const lane = bareLane({
    id: 'cpu0.sched',
    cpu: 0,
    kind: 'sched',
    t: runs,
    duration_ns: runs.map(() => 1),
    task_idx: runs.map(() => 0),
  });
  const answer = { ...FIXTURE, tasks: [task], lanes: [lane] };
  const planned = fillLanes(planLanes([answer], { cpu: [], hide: [] }), answer);
  const [row] = timelineScene(planned, answer, { name: 'dark', palette: PALETTES.dark }).rows;
  expect(row?.items.fill).toHaveLength(1_000);
  expect(reads).toBeLessThan(10);
});

test('where a list can have the rest, rows of tasks end at what is read of them', () => {
  const look = { name: 'dark', palette: PALETTES.dark } as const;
  const one = lanes.slice(0, 1);
  const [shared] = timelineScene(one, FIXTURE, look, { room: 1_000, taskPx: 192 }).rows;
  expect(shared?.height).toBe(192);
  expect(mostLanesPx(one, FIXTURE, 192)).toBe(192);
  const all = timelineScene(lanes, FIXTURE, look, { room: 5_000, taskPx: 192 });
  expect(mostLanesPx(lanes, FIXTURE, 192)).toBe(sceneHeight(all));
});

test('a counter has one scale on all CPUs, from zero to the largest of their values', () => {
  const [one] = FIXTURE.counters;
  const other = { name: 'cpu_frequency', unit: 'kHz', cpu: 0, t: [0], value: [3_600_000] };
  const answer = { ...FIXTURE, counters: one ? [one, other] : [other] };
  const planned = fillLanes(planLanes([answer], { cpu: [], hide: [] }), answer);
  const { rows } = timelineScene(planned, answer, { name: 'dark', palette: PALETTES.dark });
  const scales = rows.flatMap(({ steps }) => (steps ? [[steps.minText, steps.maxText, steps.max]] : []));
  expect(scales).toEqual([
    ['0', '3.6\u202fGHz', 3_600_000],
    ['0', '3.6\u202fGHz', 3_600_000],
  ]);
});
