import type { SideName, Sides } from '../../api/diff';
import {
  buildScene,
  IndexedTexts,
  type ItemLook,
  type LaneItems,
  type LaneRow,
  type LaneScene,
} from '../../components/chart/laneScene';
import type { ThemeName } from '../../lib/colour';
import type { Palette } from '../../lib/palette';
import type { Clock } from '../../lib/clock';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { deltaStep, stepBar, stepColour } from './deltaScale';
import { briefDelta, columnUnit, sizeText, totalText } from './rowText';
import type { DiffRow } from './diffTree';
import { wallExtents, type Extent } from './wallExtents';

/** Where a row of the tree is drawn on one side. */
export interface Box extends Extent {
  /** Index of the scene's row. */
  readonly lane: number;
  readonly item: number;
}

export interface DiffScene {
  readonly scene: LaneScene;
  /** By the row's id. */
  readonly boxes: Sides<ReadonlyMap<number, Box>>;
  /** The rows of the tree as they are drawn: by lane, then by item. */
  readonly drawn: readonly (readonly DiffRow[])[];
  /** First lane of the normal side; the gap above it is where joins are slanted. */
  readonly firstNormal: number | undefined;
  /** The end of the longer side. */
  readonly endNs: number;
}

export interface SceneInput {
  readonly rows: readonly DiffRow[];
  /** How long each side took. */
  readonly totals: Sides<number>;
  readonly colour: 'self' | 'total';
  /** Smaller differences recede. */
  readonly noiseFloorNs: number;
  /** The rows of the largest contribution, which outshine all others. */
  readonly causes: ReadonlySet<number>;
  readonly clock: Clock;
  readonly theme: { readonly name: ThemeName; readonly palette: Palette };
  /** There is no room beside the lanes for more than the names of the sides. */
  readonly isNarrow: boolean;
}

/** How many times the noise floor a difference is, to be coloured. */
const CLEAR_OF_NOISE = 2;
/** Between the two sides, for the joins from one to the other. */
const GAP_PX = 44;
/** With more lanes than this they are lower, so that both sides still fit on a screen. */
const MANY_LANES = 32;

/** Both sides on one time scale, abnormal above normal; interrupts below the calls that they hit. */
export function diffScene(input: SceneInput): DiffScene {
  const ink = new Inks(input);
  const sides = { abnormal: sideLanes(input, 'abnormal'), normal: sideLanes(input, 'normal') };
  const lanes = [...sides.abnormal, ...sides.normal];
  const firstNormal = sides.abnormal.length;
  const height = lanes.length > MANY_LANES ? 15 : 18;
  const boxes = { abnormal: new Map<number, Box>(), normal: new Map<number, Box>() };
  lanes.forEach(({ side, entries }, lane) =>
    entries.forEach(({ row, start, end }, item) => boxes[side].set(row.id, { lane, item, start, end })),
  );
  const rows = lanes.map((lane, index): LaneRow => ({
    id: lane.id,
    ...(index === 0 || index === firstNormal ? { group: lane.side } : {}),
    label: lane.label,
    height,
    items: ink.items(lane),
  }));
  return {
    scene: buildScene({ rows, fills: ink.fills.all, texts: ink.texts.all, groupGap: GAP_PX }),
    boxes,
    drawn: lanes.map(({ entries }) => entries.map(({ row }) => row)),
    firstNormal: firstNormal > 0 && sides.normal.length > 0 ? firstNormal : undefined,
    endNs: Math.max(
      1,
      input.totals.abnormal,
      input.totals.normal,
      ...lanes.map(({ entries }) => entries.at(-1)?.end ?? 0),
    ),
  };
}

interface Entry extends Extent {
  readonly row: DiffRow;
}

interface SideLane {
  readonly id: string;
  readonly side: SideName;
  readonly label: string;
  readonly entries: readonly Entry[];
}

function sideLanes({ rows, totals, clock, isNarrow }: SceneInput, side: SideName): readonly SideLane[] {
  const unit = columnUnit([totals.abnormal, totals.normal], clock);
  // The axis says once what is counted.
  const own = clock.isCounting ? sizeText(totals[side], unit) : totalText(totals[side], unit);
  const total = isNarrow ? '' : own;
  const extents = wallExtents(rows, side);
  const byLane = new Map<string, Entry[]>();
  for (const row of rows) {
    const extent = extents.get(row.id);
    if (extent === undefined) continue;
    const lane = `${row.isInInterrupt ? 'interrupts' : 'calls'} ${row.depth}`;
    const entries = byLane.get(lane);
    if (entries) entries.push({ row, ...extent });
    else byLane.set(lane, [{ row, ...extent }]);
  }
  const named = [...byLane].toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
  const firstInterrupts = named.findIndex(([name]) => name.startsWith('interrupts'));
  return named.map(([name, entries], index) => ({
    id: `${side} ${name}`,
    side,
    label: index === 0 ? total : index === firstInterrupts ? 'interrupts' : '',
    entries: apart(entries),
  }));
}

/** In order and not over each other: a folded run is drawn at its first instance, as long as all of it takes. */
function apart(entries: readonly Entry[]): readonly Entry[] {
  const ordered = entries.toSorted((one, other) => one.start - other.start);
  return ordered.map((entry, index) => ({
    ...entry,
    end: Math.max(entry.start, Math.min(entry.end, ordered[index + 1]?.start ?? Infinity)),
  }));
}

/** What the items are drawn with. Hatching, outlines and bars say once more what the colours say. */
class Inks {
  readonly fills = new IndexedTexts();
  readonly texts = new IndexedTexts();
  readonly #input: SceneInput;

  constructor(input: SceneInput) {
    this.#input = input;
  }

  items({ entries, side }: SideLane): LaneItems {
    const steps = entries.map(({ row }) => (row.status === 'matched' ? this.#step(this.#delta(row)) : 0));
    return {
      start: entries.map(({ start }) => start),
      duration: entries.map(({ start, end }) => end - start),
      fill: entries.map(({ row }, index) => this.fills.indexOf(this.#colour(row, steps[index] ?? 0))),
      text: entries.map(({ row }) => this.texts.indexOf(this.#text(row, side))),
      look: entries.map(({ row }, index) => this.#look(row, steps[index] ?? 0)),
      bar: steps.map(stepBar),
    };
  }

  #delta(row: DiffRow): number {
    return this.#input.colour === 'self' ? row.selfDeltaNs : row.deltaNs;
  }

  /** Zero for noise, and for what hardly rises above it. */
  #step(deltaNs: number): number {
    return Math.abs(deltaNs) < CLEAR_OF_NOISE * this.#input.noiseFloorNs ? 0 : deltaStep(deltaNs);
  }

  #look(row: DiffRow, step: number): ItemLook {
    if (this.#input.causes.has(row.id)) return row.status === 'removed' ? 'outlined' : 'filled';
    return LOOKS[row.status] === 'filled' && step === 0 ? 'faint' : LOOKS[row.status];
  }

  #colour(row: DiffRow, step: number): string {
    const { name, palette } = this.#input.theme;
    // The accent means late: what got faster has its place on the scale.
    if (this.#input.causes.has(row.id) && row.deltaNs > 0) return palette.late;
    if (row.status === 'added') return palette.abnormal;
    if (row.status === 'removed') return palette.normal;
    return stepColour(step, name);
  }

  #text(row: DiffRow, side: SideName): string {
    const name = visibleText((side === 'normal' ? row.otherName : undefined) ?? row.name);
    const count = row.sides[side]?.count ?? 1;
    const folded = count > 1 ? `${name} ×${groupDigits(count)}` : name;
    const delta = row.status === 'matched' ? this.#delta(row) : row.deltaNs;
    return side === 'abnormal' && this.#step(delta) !== 0
      ? `${folded} ${briefDelta(delta, this.#input.clock)}`
      : folded;
  }
}

const LOOKS: Record<DiffRow['status'], ItemLook> = {
  matched: 'filled',
  elided: 'filled',
  added: 'hatched',
  removed: 'outlined',
};
