import { TIE } from './label';
import { parseDuration } from './ns';

/** A trace that can be part of a comparison. */
export interface Comparable {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A group of traces that is compared with others: those listed, or, with labels, all that have them. */
export interface Variant {
  readonly name: string;
  readonly traces: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** What is left of variants when some traces are gone. */
export function withoutTraces(variants: readonly Variant[], gone: ReadonlySet<string>): readonly Variant[] {
  return variants
    .map((variant) => ({ ...variant, traces: variant.traces.filter((id) => !gone.has(id)) }))
    .filter(({ traces, labels }) => traces.length > 0 || labels !== undefined);
}

/** The same variants with the one of this name first: all others are compared with it. */
export function withBaseline(variants: readonly Variant[], name: string): readonly Variant[] {
  const [baseline, others] = [true, false].map((is) => variants.filter((one) => (one.name === name) === is));
  return [...(baseline ?? []), ...(others ?? [])];
}

/** One way to part traces into variants. */
export interface Split {
  readonly title: string;
  readonly variants: readonly Variant[];
}

/** The server compares no more. */
export const MOST_VARIANTS = 20;

/**
 * The ways to part traces into variants, the most telling first: by a label, by a word in which their names differ,
 * each by itself, and all together. What is compared with the others comes first.
 */
export function splitsOf(traces: readonly Comparable[]): readonly Split[] {
  if (traces.length === 0) return [];
  const tied = new Map(traces.map((trace) => [trace.id, trace]));
  // What was measured in a run belongs to its trace, which often has the labels alone.
  const valueOf = (label: string, { labels }: Comparable) =>
    labels[label] ?? tied.get(labels[TIE] ?? '')?.labels[label];
  // Most telling is a label that all have, then one with values that say something on their own.
  const rankOfLabel = (label: string) => {
    const values = traces.map((trace) => valueOf(label, trace));
    const isOnAll = !values.includes(undefined);
    return (isOnAll ? 0 : 2) + (values.some((value) => BARE_VALUE.test(value ?? '')) ? 1 : 0);
  };
  const byLabel = groupingLabels(traces)
    .toSorted((one, other) => rankOfLabel(one) - rankOfLabel(other))
    .map((label) =>
      withLabel(
        label,
        split(`label ${label}`, traces, (trace) => valueOf(label, trace) ?? `no ${label}`),
      ),
    );
  const words = new Map(traces.map((trace) => [trace.id, wordsOf(trace.name)]));
  const shortest = Math.min(...traces.map((trace) => words.get(trace.id)?.length ?? 0));
  const byWord = Array.from({ length: shortest }, (_, at) =>
    split('name', traces, (trace) => words.get(trace.id)?.[at] ?? ''),
  );
  const byWords = split('names', traces, (trace) => differingWords(words.get(trace.id) ?? [], byWord));
  const isWhole = byWords.variants.length <= MOST_KINDS && !isCrossed(byWords, byWord);
  const splits = isWhole ? [byLabel, [byWords], byWord] : [byLabel, byWord, [byWords]];
  const run = runOf(traces);
  const telling = run === undefined ? splits.flatMap((some) => grouping(some, traces.length)) : [];
  const each = {
    title: 'each trace',
    variants: distinctNames(traces.map(alone).toSorted((a, b) => inOrder(a.name, b.name))),
  };
  const all = {
    title: 'all together',
    variants: [{ name: 'all', traces: traces.map((trace) => trace.id) }],
  };
  const apart = traces.length > 1 && traces.length <= MOST_VARIANTS ? [each] : [];
  return run === undefined ? [...telling, ...apart, all] : [run, ...apart];
}

/** The labels that say what traces are, and not which file belongs to which, in the order of their names. */
export function groupingLabels(traces: readonly Pick<Comparable, 'labels'>[]): readonly string[] {
  const names = new Set(traces.flatMap(({ labels }) => Object.keys(labels)));
  names.delete(TIE);
  return [...names].toSorted();
}

/** All as one variant where they are files of one run: `x`, `x.cyclictest`, `x.samples.tsv`. */
function runOf(traces: readonly Comparable[]): Split | undefined {
  const [shortest] = traces.toSorted((one, other) => one.name.length - other.name.length);
  if (shortest === undefined || traces.length < 2) return undefined;
  const endings = traces.map(
    ({ name }) => name.startsWith(shortest.name) && name.slice(shortest.name.length),
  );
  const isRun =
    new Set(endings).size === endings.length &&
    endings.every((ending) => ending === '' || (ending !== false && ENDING.test(ending)));
  const variant = { name: shortest.name, traces: traces.map(({ id }) => id) };
  return isRun ? { title: 'one run', variants: [variant] } : undefined;
}

const ENDING = /^(?:\.\p{L}+){1,2}$/u;

/** Kinds of runs that are told apart at a glance. */
const MOST_KINDS = 4;

/** Whether every pair of words occurs. Where not (`hz1000-nohz` but no `hz250-nohz`), no single word splits the runs. */
function isCrossed({ variants }: Split, byWord: readonly Split[]): boolean {
  const pairs = byWord.reduce((product, one) => product * one.variants.length, 1);
  return variants.length === pairs;
}

/** Words of names in which traces differ, each with its number, the first being 1, and with its values. */
export function wordsApart(traces: readonly Comparable[]): readonly (readonly [number, string])[] {
  const words = traces.map(({ name }) => wordsOf(name));
  const longest = Math.max(0, ...words.map(({ length }) => length));
  return Array.from({ length: Math.min(longest, MOST_WORDS) }, (_, at) => {
    const values = [...new Set(words.flatMap((own) => own[at] ?? []))].toSorted(inOrder);
    return [at + 1, values] as const;
  })
    .filter(([, values]) => values.length > 1 && values.length <= MOST_VARIANTS)
    .map(([number, values]) => [number, shortList(values)] as const);
}

/** The server counts no further. */
const MOST_WORDS = 40;

const alone = ({ id, name }: Comparable): Variant => ({ name, traces: [id] });

/** Those that make groups, the fewest groups first. Two traces are two groups. */
function grouping(splits: readonly Split[], count: number): readonly Split[] {
  const most = count === 2 ? 2 : Math.min(count - 1, MOST_VARIANTS);
  const good = splits.filter(({ variants }) => variants.length > 1 && variants.length <= most);
  return good.toSorted((one, other) => one.variants.length - other.variants.length);
}

function split(by: string, traces: readonly Comparable[], valueOf: (trace: Comparable) => string): Split {
  const groups = new Map<string, string[]>();
  for (const trace of traces) {
    const value = valueOf(trace);
    groups.set(value, [...(groups.get(value) ?? []), trace.id]);
  }
  const names = [...groups.keys()].toSorted(inOrder);
  return {
    title: `${by}: ${shortList(names)}`,
    variants: names.map((name) => ({ name, traces: groups.get(name) ?? [] })),
  };
}

/** Variants of a label whose values alone say nothing, such as 1 and 2, are called `run=1` and `run=2`. */
function withLabel(label: string, { title, variants }: Split): Split {
  const isSaid = variants.every(({ name }) => name === `no ${label}` || !BARE_VALUE.test(name));
  const named = variants.map((one) => ({
    ...one,
    name: isSaid || one.name === `no ${label}` ? one.name : `${label}=${one.name}`,
  }));
  return { title, variants: named };
}

const BARE_VALUE = /^(?:[-+]?\d+(?:[.,:-]\d+)*|y|n|yes|no|true|false|on|off)$/iu;

const shortList = (names: readonly string[]) =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} … ${names.at(-1) ?? ''}` : names.join(', ');

/** The words of a name that are not the same in all names. */
const differingWords = (words: readonly string[], byWord: readonly Split[]) =>
  words.filter((_, at) => (byWord[at]?.variants.length ?? 1) > 1).join(' ');

// A version stays whole: `cyc-run01-6.12-rt-before.cyclictest` is six words.
const wordsOf = (name: string) => name.split(/[-_\s]+|\.(?=\p{L})/u);

/** Words for what a change is compared with. */
const BEFORE = new Set([
  'before',
  'base',
  'baseline',
  'old',
  'off',
  'no',
  'none',
  'idle',
  'quiet',
  'without',
  'normal',
  'reference',
  'ref',
  'control',
  'vanilla',
  'stock',
  'unpatched',
  'good',
]);

/** Words for what is compared with something else. */
const AFTER = new Set([
  'after',
  'new',
  'patched',
  'slow',
  'abnormal',
  'late',
  'bad',
  'load',
  'loaded',
  'stress',
  'with',
  'on',
]);

/** Where a name belongs among variants: those that others are compared with, those that say neither, those after a change. */
function rankOf(name: string): number {
  const words = wordsOf(name.toLowerCase());
  // `no load` is what lacks a label, and `none` the value of one.
  if (BEFORE.has(words.join(' '))) return 0;
  if (words.some((word) => BEFORE.has(word))) return 1;
  return words.some((word) => AFTER.has(word)) ? 3 : 2;
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** What others are compared with comes first; durations and numbers by their size. */
function inOrder(one: string, other: string): number {
  const isLater = rankOf(one) - rankOf(other);
  if (isLater !== 0) return isLater;
  const [first, second] = [parseDuration(one), parseDuration(other)];
  if (first !== undefined && second !== undefined) return first - second;
  return COLLATOR.compare(one, other);
}

/** Variants are told apart by their names. */
export function distinctNames(variants: readonly Variant[]): readonly Variant[] {
  const used = new Set<string>();
  return variants.map((variant) => {
    let name = variant.name;
    for (let number = 2; used.has(name); number += 1) name = `${variant.name} (${number})`;
    used.add(name);
    return { ...variant, name };
  });
}
