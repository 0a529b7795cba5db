import type { ChainLink, ChainNormal } from '../../api/chain';
import { TIME, type Clock } from '../../lib/clock';
import { groupDigits, ns } from '../../lib/ns';

/** Those whose own names are not what people say. */
const MECHANISMS: ReadonlyMap<string, string> = new Map([
  ['irqs_off', 'interrupts off'],
  ['idle_exit', 'leaving idle'],
  ['stall', 'CPU stood still'],
  ['wrong_cpu', 'another CPU was idle'],
  ['ipi', 'IPI'],
  ['waits_for', 'waits for its waker'],
  ['kernel_exit', 'return to user space'],
  ['unknown', 'not recorded'],
]);

/** What people call a mechanism; most go by their own names. */
export function mechanismName(mechanism: string): string {
  return MECHANISMS.get(mechanism) ?? mechanism.replaceAll('_', ' ');
}

/** `second longest of 1,407, median 6.100 µs, p99 7.800 µs`: how this one compares with its like. */
export function normalText(
  { count, median_ns, p99_ns, rank }: ChainNormal,
  duration_ns: number,
  clock = TIME,
): string {
  const [median, p99] = [usualText(median_ns, clock), usualText(p99_ns, clock)];
  // A reader who asks why something was late need not know that it was the 751st longest.
  if (rank > count / 2) return `usual: median of ${groupDigits(count)} is ${median}`;
  // Only a part of what is ranked lies in the case: beside its time, the rank would seem wrong.
  if (duration_ns < median_ns) return `part of one; median of ${groupDigits(count)} is ${median}`;
  const place = rank === 1 ? 'longest' : `${ordinal(rank)} longest`;
  return `${place} of ${groupDigits(count)}, median ${median}, p99 ${p99}`;
}

/** Two events with the same stamp are less than a step of the clock apart, which is a microsecond in most files. */
function usualText(usual_ns: number, clock: Clock): string {
  return usual_ns === 0 && !clock.isCounting ? '<\u202f1\u202fµs' : clock.brief(ns(usual_ns));
}

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

function ordinal(rank: number): string {
  const teen = rank % 100 >= 11 && rank % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th');
  return ORDINALS[rank] ?? `${groupDigits(rank)}${ending}`;
}

/** How far a link can be relied on; nothing where events state both of its ends. */
export function certaintyText(
  { certainty, bounds }: Pick<ChainLink, 'certainty' | 'bounds'>,
  start: number,
  clock = TIME,
): string | undefined {
  if (certainty === 'recorded') return undefined;
  if (bounds === null) return certainty;
  const since = (at: number) => `${at < start ? '−' : '+'}${clock.brief(ns(Math.abs(at - start)))}`;
  return `at least from ${since(bounds.from)} to ${since(bounds.to)}`;
}

/** What else holds for the stretch, unless the sentence already says so: `also: slow clock`. */
export function alsoText({ also, sentence }: Pick<ChainLink, 'also' | 'sentence'>): string | undefined {
  const unsaid = also.filter((mechanism) => mechanism !== 'stall' || !sentence.includes('stood still'));
  return unsaid.length === 0 ? undefined : `also: ${unsaid.map(mechanismName).join(', ')}`;
}
