import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import type { PriorityClass } from './latencyTypes';
import { BY_NAME } from '../lib/runOrder';
import { request } from './request';

type Schemas = components['schemas'];

/** The shapes of the answers about a trend by the names that the page uses. */
export type Trend = Schemas['TrendAnswer'];
export type TrendPoint = Schemas['TrendPoint'];
export type TrendChange = Schemas['TrendChange'];
type TrendStat = NonNullable<Schemas['TrendBody']['stat']>;

/** Which traces: by labels, `name:value`, else by ids. */
export interface TrendTraces {
  readonly labels: readonly string[];
  readonly traces: readonly string[];
}

export interface TrendRequest extends TrendTraces {
  readonly kind: string;
  /** Of measurements and fields. */
  readonly key: string | null;
  readonly cpu: number | undefined;
  readonly comm: string;
  /** Only tasks of these classes; of all where none is named. */
  readonly priority: readonly PriorityClass[];
  /** The label whose values are the order, or `BY_NAME`; that of uploads where it is empty. */
  readonly by: string;
  readonly stat: TrendStat;
}

/** Traces come and go, and labels change. */
const STALE_MS = 60_000;

/** What can be followed in these traces, and the traces with their labels. */
export const trendMeasuresQuery = (of: TrendTraces) =>
  queryOptions({
    queryKey: ['trend', 'measures', of],
    queryFn: ({ signal }) =>
      request<Schemas['MeasuresAnswer']>('/compare/measures', {
        method: 'POST',
        body: { variants: [variantOf(of)] },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

/** A point for each trace, and where their number changed. */
export const trendQuery = (asked: TrendRequest) =>
  queryOptions({
    queryKey: ['trend', asked],
    queryFn: ({ signal }) => request<Trend>('/trend', { method: 'POST', body: bodyOf(asked), signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

function bodyOf({ kind, key, cpu, comm, priority, by, stat, ...of }: TrendRequest) {
  const keyed = kind === 'field' ? { field: key } : { source: key };
  return {
    measure: key === null ? { kind } : keyed,
    variant: variantOf(of),
    where: {
      ...(cpu !== undefined && { cpu }),
      ...(comm !== '' && { comm }),
      ...(priority.length > 0 && { priority_class: priority.join(',') }),
    },
    x: by === '' ? 'uploaded' : by === BY_NAME ? 'name' : `label:${by}`,
    stat,
  };
}

function variantOf(of: TrendTraces) {
  return { name: 'runs', ...selectedBy(of) };
}

/** Traces as the API takes them: ids, or labels that all of them have. */
export function selectedBy({ labels, traces }: TrendTraces) {
  if (labels.length === 0) return { traces };
  return { labels: Object.fromEntries(labels.map(splitLabel)) };
}

/** A label's value may hold a colon, its name may not. */
function splitLabel(label: string): readonly [string, string] {
  const at = label.indexOf(':');
  return [label.slice(0, at), label.slice(at + 1)];
}
