import { ns, parseDuration, type Ns } from '../lib/ns';

/** One search parameter: its text form both ways, what to take when it is missing, and what it should look like. */
export interface Field<T> {
  readonly fallback: T;
  /** The value, or `undefined` where the text is not one. */
  readonly parse: (text: string) => T | undefined;
  readonly print: (value: T) => string;
  /** Completes "which is not …" in the notice about a bad value. */
  readonly wants: string;
}

/** Free text of at most `longest` characters. */
export function textField(longest = 200): Field<string> {
  return {
    fallback: '',
    parse: (text) => (text.length <= longest ? text : undefined),
    print: (value) => value,
    wants: `text of at most ${longest} characters`,
  };
}

/** One of a few words; the first is the fallback. */
export function choiceField<T extends string>(choices: readonly [T, ...T[]]): Field<T> {
  return {
    fallback: choices[0],
    parse: (text) => choices.find((choice) => choice === text),
    print: (value) => value,
    wants: choices.length > 8 ? `one of ${choices.length} known values` : `one of ${choices.join(', ')}`,
  };
}

/** One of the choices; absent where what is shown decides which is meant. */
export function optionalChoiceField<T extends string>(choices: readonly [T, ...T[]]): Field<T | undefined> {
  return { ...choiceField(choices), fallback: undefined, print: (value) => value ?? '' };
}

/** Some of a few words, in the order of the choices and without repeats; none by default. */
export function choiceSetField<T extends string>(choices: readonly T[]): Field<readonly T[]> {
  return {
    fallback: [],
    parse: (text) => {
      const named = new Set(text.split(','));
      const known = choices.filter((choice) => named.has(choice));
      return known.length === named.size ? known : undefined;
    },
    print: (values) => values.join(','),
    wants: `one or more of ${choices.join(', ')}`,
  };
}

/** A whole number in [low, high], printed without sign or zeros in front; absent by default. */
export function countField(low: number, high: number): Field<number | undefined> {
  return {
    fallback: undefined,
    parse: (text) => {
      const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= low && value <= high ? value : undefined;
    },
    print: (value) => value?.toString() ?? '',
    wants: `a whole number from ${low} to ${high}`,
  };
}

/** An instant or a duration in nanoseconds, absent by default. Reads units (`50us`) and prints plain nanoseconds. */
export function nsField(): Field<Ns | undefined> {
  return {
    fallback: undefined,
    parse: (text) => parseDuration(text),
    print: (value) => value?.toString() ?? '',
    wants: 'a time such as 1500000 or 1.5ms',
  };
}

/** A set of whole numbers such as CPUs or pids, `0,2,3`, sorted and without repeats; empty by default. */
export function numberSetField(low: number, high: number): Field<readonly number[]> {
  return {
    fallback: [],
    parse: (text) => {
      if (!/^\d{1,10}(,\d{1,10}){0,255}$/.test(text)) return undefined;
      const values = [...new Set(text.split(',').map(Number))].toSorted((a, b) => a - b);
      return values.every((value) => value >= low && value <= high) ? values : undefined;
    },
    print: (values) => values.join(','),
    wants: `a list of numbers from ${low} to ${high}, such as 0,2`,
  };
}

/** Names such as kinds of lanes, `idle,irq`, sorted and without repeats; empty by default. */
export function wordSetField(): Field<readonly string[]> {
  return {
    fallback: [],
    parse: (text) =>
      /^[a-z_]{1,32}(,[a-z_]{1,32}){0,63}$/.test(text) ? [...new Set(text.split(','))].toSorted() : undefined,
    print: (values) => values.toSorted().join(','),
    wants: 'a list of words such as idle,irq',
  };
}

/** Names of lanes such as `cpu0.irq,task372`, in an order that means something, without repeats; empty by default. */
export function laneListField(): Field<readonly string[]> {
  return {
    fallback: [],
    parse: (text) =>
      /^[\w.-]{1,80}(?:,[\w.-]{1,80}){0,127}$/.test(text) ? [...new Set(text.split(','))] : undefined,
    print: (ids) => ids.join(','),
    wants: 'a list of lanes such as cpu0.irq,cpu1.sched',
  };
}

/** A half-open stretch of the trace, low end first; absent by default. Written `start-end` in nanoseconds. */
export interface NsRange {
  readonly start: Ns;
  readonly end: Ns;
}

export function rangeField(): Field<NsRange | undefined> {
  return {
    fallback: undefined,
    parse: (text) => {
      const [, low, high] = /^(\d{1,16})-(\d{1,16})$/.exec(text) ?? [];
      if (low === undefined || high === undefined) return undefined;
      const [start, end] = [Number(low), Number(high)];
      return Number.isSafeInteger(end) && start < end ? { start: ns(start), end: ns(end) } : undefined;
    },
    print: (range) => (range ? `${range.start}-${range.end}` : ''),
    wants: 'a time range such as 1000-5000, start first',
  };
}

/** Ids of at most `most` traces, in their order and without repeats; empty by default. */
export function traceIdsField(most: number): Field<readonly string[]> {
  return {
    fallback: [],
    parse: (text) => {
      const ids = text.split(',');
      const areGood = ids.length <= most && ids.every((id) => /^[\w-]{1,64}$/.test(id));
      return areGood ? [...new Set(ids)] : undefined;
    },
    print: (ids) => ids.join(','),
    wants: `up to ${most} ids of traces such as abcdefghijkl,mnopqrstuvwx`,
  };
}
