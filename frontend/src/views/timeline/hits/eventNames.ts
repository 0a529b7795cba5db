import { useEventTypes } from '../../../api/traces';
import { filterTerm } from '../../../lib/filterTerm';

export interface EventNames {
  /** The most frequent first. */
  readonly names: readonly string[];
  /** Whether there are no others. */
  readonly isAll: boolean;
}

/** The names that events of a trace have. */
export function useEventNames(traceId: string): EventNames {
  const { data, hasNextPage } = useEventTypes(traceId);
  const names = data?.pages.flatMap(({ items }) => items.map(({ name }) => name)) ?? [];
  return { names, isAll: data !== undefined && !hasNextPage };
}

/** The filter as typed, with its last term made that of each name. */
export function suggestedFilters(q: string, names: readonly string[]): readonly string[] {
  const before = /^(.*\s)?/s.exec(q)?.[0] ?? '';
  return [...new Set(names)].map((name) => `${before}${filterTerm('event', name)}`);
}

/** The name that a filter asks for and no event has; nothing where that is not known. */
export function unknownName(q: string, { names, isAll }: EventNames): string | undefined {
  if (!isAll) return undefined;
  const asked = [...q.matchAll(/(?:^|\s)event[:=]([\w.+/@-]+)(?=\s|$)/g)].map(([, name = '']) => name);
  return asked.find((name) => !names.includes(name));
}

const MOST_ALIKE = 3;

/** What is wrong with a filter that nothing in the trace passes. */
export function noMatchText(q: string, known: EventNames): string {
  const name = unknownName(q, known);
  if (name === undefined) return 'No event of this trace matches the filter.';
  const alike = known.names.filter((one) => one.includes(name)).slice(0, MOST_ALIKE);
  const none = `No event of this trace is named ${name}.`;
  return alike.length === 0
    ? none
    : `${none} Similar: ${alike.join(', ')}. event~${name} matches part of a name.`;
}
