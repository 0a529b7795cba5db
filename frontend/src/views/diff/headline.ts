/** More words than this are no headline. */
const MOST_WORDS = 30;

/**
 * A long summary of a comparison in two: as many of its parts as make a headline, the largest first, and the others.
 * Parts begin with an amount: `148.7 µs in calls missing from the normal run (a, b), −114 µs in calls made elsewhere`.
 */
export function headlineParts(summary: string): readonly [string, string | undefined] {
  const starts = partStarts(summary);
  if (wordCount(summary) <= MOST_WORDS || starts.length === 0) return [summary, undefined];
  const fitting = starts.filter((at) => wordCount(summary.slice(0, at)) <= MOST_WORDS);
  const at = fitting.at(-1) ?? starts[0] ?? summary.length;
  return [summary.slice(0, at).replace(/[,;] $/, ''), summary.slice(at)];
}

/** Where a part begins that is not the first, outside of brackets. */
function partStarts(summary: string): readonly number[] {
  return [...summary.matchAll(/[,;] (?=[+−]?\d+(?:\.\d+)?\s(?:ns|µs|ms|s)\b)/gu)]
    .map(({ index }) => index + 2)
    .filter((at) => isOutside(summary.slice(0, at)));
}

const isOutside = (before: string) => before.split('(').length === before.split(')').length;

const wordCount = (text: string) => text.trim().split(/\s+/).length;
