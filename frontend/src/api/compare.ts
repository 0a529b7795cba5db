import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Variant } from '../lib/variants';
import type { components } from './generated';
import type { PriorityClass } from './latencyTypes';
import { request, requestBlob } from './request';

type Schemas = components['schemas'];

/** The shapes of the answers about groups of traces by the names that the page uses. */
export type Comparison = Schemas['CompareAnswer'];
export type ComparedVariant = Schemas['ComparedVariant'];
export type ComparedDifference = Schemas['CompareDifference'];
export type ComparedCause = Schemas['CompareCause'];
export type ComparedClassCause = Schemas['CompareClassCause'];
export type VariantSpread = Schemas['VariantSpread'];
export type OfferedMeasure = Schemas['OfferedMeasure'];
export type QuantumShelves = Schemas['ShelvesAnswer'];
export type VariantShelves = Schemas['VariantShelves'];
export type QuantumShelf = Schemas['QuantumShelf'];
export type SelectedVariant = Schemas['SelectedVariant'];

export interface CompareRequest {
  readonly variants: readonly Variant[];
  readonly kind: string;
  /** Of measurements and fields. */
  readonly key: string | null;
  readonly cpu: number | undefined;
  readonly comm: string;
  readonly priority: readonly PriorityClass[];
  /** Rows and columns of a table of the samples. */
  readonly strata: readonly string[];
}

/** Traces can be deleted, and labels be changed; their samples stay. */
const STALE_MS = 60_000;

/** The traces of variants, and what can be compared of them. */
export const measuresQuery = (variants: readonly Variant[]) =>
  queryOptions({
    queryKey: ['compare', 'measures', variants],
    queryFn: ({ signal }) =>
      request<Schemas['MeasuresAnswer']>('/compare/measures', {
        method: 'POST',
        body: { variants: variants.map(variantOf) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

/** How variants differ from the first. */
export const compareQuery = (asked: CompareRequest) =>
  queryOptions({
    queryKey: ['compare', asked],
    queryFn: ({ signal }) =>
      request<Comparison>('/compare', { method: 'POST', body: comparisonOf(asked), signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

/** The comparison as text, as a self-contained page, or its curves as a picture. */
export const compareReport = async (asked: CompareRequest, form: 'text' | 'html' | 'svg'): Promise<string> =>
  (await requestBlob(`/compare?format=${form}`, comparisonOf(asked))).text();

/** The samples of all variants on one scale. */
export const spreadsQuery = (asked: CompareRequest) =>
  queryOptions({
    queryKey: ['compare', 'distribution', asked],
    queryFn: ({ signal }) =>
      request<Schemas['DistributionAnswer']>('/compare/distribution', {
        method: 'POST',
        body: comparisonOf(asked),
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

/** The plateaus of sorted counts of work per quantum, and what makes each. */
export const shelvesQuery = (asked: CompareRequest) => {
  // The shelves are the same whatever else the samples are split by.
  const body = comparisonOf({ ...asked, strata: [] });
  return queryOptions({
    queryKey: ['compare', 'shelves', body],
    queryFn: ({ signal }) => request<QuantumShelves>('/compare/shelves', { method: 'POST', body, signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
};

/** A comparison as the server takes it, and as it is saved. */
export function comparisonOf(asked: CompareRequest): Schemas['CompareBody'] {
  const { variants, kind, key, cpu, comm, priority, strata } = asked;
  const keyed = kind === 'field' ? { field: key } : { source: key };
  return {
    variants: variants.map(variantOf),
    strata: [...strata],
    measure: key === null ? { kind } : keyed,
    where: {
      ...(cpu !== undefined && { cpu }),
      ...(comm !== '' && { comm }),
      ...(priority.length > 0 && { priority_class: priority.join(',') }),
    },
  };
}

const variantOf = ({ name, traces, labels }: Variant): Schemas['CompareVariant'] =>
  labels === undefined ? { name, traces: [...traces], labels: {} } : { name, traces: [], labels };
