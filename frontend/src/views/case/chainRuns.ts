import type { ChainLink } from '../../api/chain';

/** Links that follow on each other: they are listed, or summed up in one row. */
export interface ChainRun {
  readonly isFolded: boolean;
  /** Indices of its links, ascending. */
  readonly links: readonly number[];
}

/** With more links than this the events below would be out of sight, and the short ones say little. */
const MOST_LISTED = 24;
/** How many of the longest are then listed. */
const LONGEST = 16;
/** A chain of at most this many links is listed whole, however short some of them are. */
const FEW = 8;
/** Of the longest link: neighbours that are shorter explain nothing, and hide the link that does. */
const LEAST_SHARE = 0.02;

/** A chain as it is listed: in order of time, and of a long one only the links that matter by themselves. */
export function chainRuns(why: readonly Pick<ChainLink, 'duration_ns'>[]): readonly ChainRun[] {
  const all = why.map((_, index) => index);
  if (why.length <= FEW) return [{ isFolded: false, links: all }];
  const lengthOf = (index: number) => why[index]?.duration_ns ?? 0;
  const least = LEAST_SHARE * why.reduce((most, { duration_ns }) => Math.max(most, duration_ns), 0);
  const weighty = all.filter((index) => lengthOf(index) >= least);
  const longest = new Set(
    weighty
      .toSorted((a, b) => lengthOf(b) - lengthOf(a) || a - b)
      .slice(0, why.length <= MOST_LISTED ? MOST_LISTED : LONGEST),
  );
  const runs: { isFolded: boolean; links: number[] }[] = [];
  for (const index of all) {
    const isFolded = !longest.has(index);
    const last = runs.at(-1);
    if (last?.isFolded === isFolded) last.links.push(index);
    else runs.push({ isFolded, links: [index] });
  }
  // A row that says that one is left out is no shorter than the one.
  return runs.map((run) => (run.links.length === 1 ? { ...run, isFolded: false } : run));
}
