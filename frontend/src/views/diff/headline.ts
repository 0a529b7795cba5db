/** More words than this are no headline. */
const MOST_WORDS = 30;

/** A summary of a comparison as the head of its page shows it. */
export interface Headline {
  readonly headline: string;
  /** What the headline leaves out, where it does. */
  readonly rest: string | undefined;
  /** Whether the rest goes on in the headline's sentence. */
  readonly isSameSentence: boolean;
}

/**
 * A long summary of a comparison in two: as many of its parts as make a headline, the largest first, and the others.
 * Parts are sentences, or begin with an amount: `148.7 µs in calls missing from the normal run (a, b), −114 µs in calls
 * made elsewhere`.
 */
export function headlineOf(summary: string): Headline {
  const starts = partStarts(summary);
  const whole: Headline = { headline: summary, rest: undefined, isSameSentence: false };
  if (wordCount(summary) <= MOST_WORDS || starts.length === 0) return whole;
  const fitting = starts.filter((at) => wordCount(summary.slice(0, at)) <= MOST_WORDS);
  const at = fitting.at(-1) ?? starts[0] ?? summary.length;
  const headline = summary.slice(0, at).trimEnd();
  const isSameSentence = !headline.endsWith('.');
  const ended = isSameSentence ? headline.replace(/[,;]$/, '.') : headline;
  return { headline: ended, rest: summary.slice(at), isSameSentence };
}

/** Where a part begins that is not the first, outside of brackets. */
function partStarts(summary: string): readonly number[] {
  return [...summary.matchAll(PART_START)]
    .map(({ index }) => index + 2)
    .filter((at) => isOutside(summary.slice(0, at)));
}

// A comma behind an amount makes it an aside: `Most of the difference, −4.000 µs, lies between wakeup and switch.`
const PART_START = /[,;] (?=[+−]?[\d,]+(?:\.\d+)?\s(?:ns|µs|ms|s|clock ticks?)\b(?!,))|\. (?=\p{Lu})/gu;

const isOutside = (before: string) => before.split('(').length === before.split(')').length;

const wordCount = (text: string) => text.trim().split(/\s+/).length;
