import type { PlannedLane } from '../../../components/lanes/laneModel';

/** Up to so many CPUs, an answer that has the lanes of all of them shows each in full detail. */
const FEW_CPUS = 16;
/** CPUs are asked for in blocks, so that a scrolled page needs no new answer for every row. */
const BLOCK = 4;
/** As many as a screen of 1,080 pixels shows three rows of each of. */
const FIRST_CPUS = 16;

/**
 * The CPUs to ask for before it is known which are in sight: of the `chosen` ones, or of all; nothing where all of them
 * are to be asked for.
 */
export function firstCpus(cpuCount: number | null, chosen: readonly number[]): readonly number[] | undefined {
  if ((cpuCount ?? 0) <= FEW_CPUS) return undefined;
  if (chosen.length > 0) return chosen.slice(0, FIRST_CPUS);
  return Array.from({ length: FIRST_CPUS }, (_, cpu) => cpu);
}

/**
 * The CPUs to ask for while the rows from `first` to `last` are in sight: the known ones while they have all of these
 * rows, else those of the rows and of some above and below.
 */
export function cpusInSight(
  known: readonly number[],
  lanes: readonly PlannedLane[],
  first: number,
  last: number,
): readonly number[] {
  const cpusOf = (from: number, to: number) =>
    lanes.slice(Math.max(0, from), to + 1).flatMap(({ cpu }) => cpu ?? []);
  if (cpusOf(first, last).every((cpu) => known.includes(cpu))) return known;
  const margin = Math.ceil((last - first) / 4);
  const blocks = new Set(cpusOf(first - margin, last + margin).map((cpu) => Math.floor(cpu / BLOCK)));
  return [...blocks]
    .toSorted((a, b) => a - b)
    .flatMap((block) => Array.from({ length: BLOCK }, (_, cpu) => block * BLOCK + cpu));
}

/**
 * The CPUs `inSight`, but the `chosen` ones where they are few: a CPU that the whole trace in short has no room for has no
 * row yet that could come in sight.
 */
export function askedCpus(inSight: readonly number[], chosen: readonly number[]): readonly number[] {
  if (chosen.length > 0 && chosen.length <= FEW_CPUS) return chosen;
  const isSeen = chosen.length === 0 || chosen.some((cpu) => inSight.includes(cpu));
  return isSeen ? inSight : chosen.slice(0, FIRST_CPUS);
}
