import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryClient } from './queryClient';
import { request, requestBlob } from './request';
import type { SelectionOutcome, SelectionSize } from './types';

interface CatalogFilter {
  readonly q: string;
  readonly label: string;
}

/** Which traces a call is about, as the API takes it. */
type TraceSelection =
  { readonly ids: readonly string[] } | { readonly matching: Readonly<Record<string, unknown>> };

const PATH = '/traces/selection';

/** How many traces the catalog has with a filter, and how large they are together. */
export function useSelectionSize({ q, label }: CatalogFilter) {
  return useQuery({
    queryKey: ['traces', 'size', q, label],
    queryFn: ({ signal }) => request<SelectionSize>(PATH, { signal, query: { q, label } }),
    placeholderData: keepPreviousData,
  });
}

/** Sets labels of all selected traces, removes those that are null; returns how many traces have changed. */
export async function labelTraces(
  traces: TraceSelection,
  labels: Readonly<Record<string, string | null>>,
  onProgress?: (changed: number) => void,
): Promise<number> {
  return await toTheEnd('labels', { ...traces, labels }, onProgress);
}

/** Deletes all selected traces; returns how many there were. */
export async function deleteTraces(
  traces: TraceSelection,
  onProgress?: (deleted: number) => void,
): Promise<number> {
  return await toTheEnd('delete', traces, onProgress);
}

/** A row for each selected trace, as a file. */
export async function exportTraces(traces: TraceSelection, format: 'csv' | 'ndjson'): Promise<Blob> {
  return await requestBlob(`${PATH}/export`, { ...traces, format });
}

/** A call does a bounded part, and says where the next one begins. */
async function toTheEnd(
  deed: 'labels' | 'delete',
  body: object,
  onProgress: (done: number) => void = () => undefined,
): Promise<number> {
  let done = 0;
  let cursor: string | null = null;
  try {
    do {
      // oxlint-disable-next-line no-await-in-loop -- each call says where the next one begins
      const outcome: SelectionOutcome = await request<SelectionOutcome>(`${PATH}/${deed}`, {
        method: 'POST',
        body: { ...body, cursor },
      });
      done += outcome.changed_count;
      cursor = outcome.next;
      onProgress(done);
    } while (cursor !== null);
  } finally {
    if (deed === 'delete') queryClient.removeQueries({ queryKey: ['trace'] });
    else void queryClient.invalidateQueries({ queryKey: ['trace'] });
    await queryClient.invalidateQueries({ queryKey: ['traces'] });
  }
  return done;
}
