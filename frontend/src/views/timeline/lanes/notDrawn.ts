import type { TimelineAnswer } from '../../../api/lanes';

/** Lanes that the answer about the whole trace had no room for, and where to go on. */
export interface NotDrawn {
  readonly laneCount: number;
  readonly of: number;
  /** Of the CPUs without lanes the first ones: as many as an answer always has room for. */
  readonly next: readonly number[];
  /** Somebody has gone on from what fits. */
  readonly isChosen: boolean;
}

type LaneLists = Pick<TimelineAnswer, 'lanes' | 'counters' | 'hidden_lanes'>;

const NEXT_CPUS = 16;

/** What neither the `whole` trace in short nor the `answer` about what is in sight has. */
export function notDrawn(
  whole: LaneLists | undefined,
  answer: LaneLists | undefined,
  cpus: readonly number[],
  chosen: readonly number[],
): NotDrawn | undefined {
  if (whole === undefined || whole.hidden_lanes === 0) return undefined;
  const inWhole = new Set(listed(whole).map(({ cpu }) => cpu));
  const last = chosen.findLast((cpu) => !inWhole.has(cpu));
  // Who chose CPUs that the whole trace has lanes of misses none.
  if (chosen.length > 0 && last === undefined) return undefined;
  const shown = answer ? [...listed(whole), ...listed(answer)] : listed(whole);
  const of = whole.lanes.length + whole.counters.length + whole.hidden_lanes;
  const laneCount = of - new Set(shown.filter(({ cpu }) => cpu !== null).map(idOf)).size;
  const next = cpus.filter((cpu) => !inWhole.has(cpu) && cpu > (last ?? -1)).slice(0, NEXT_CPUS);
  return laneCount > 0 ? { laneCount, of, next, isChosen: chosen.length > 0 } : undefined;
}

const listed = ({ lanes, counters }: LaneLists) => [...lanes, ...counters];

const idOf = (one: LaneLists['lanes'][number] | LaneLists['counters'][number]) =>
  'depth' in one ? `${one.cpu} ${one.kind} ${one.depth}` : `${one.cpu} ${one.name}`;
