import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { components } from './generated';
import { queryClient } from './queryClient';
import { request } from './request';
import type { Page } from './types';

type Schemas = components['schemas'];

/** The shapes of the answers about saved comparisons by the names that the page uses. */
export type Experiment = Schemas['ExperimentAnswer'];
export type ExperimentItem = Schemas['ExperimentItem'];
type NewExperiment = Schemas['NewExperiment'];
type ExperimentChange = Schemas['ExperimentPatch'];

const PATH = '/experiments';
const pathOf = (slug: string): string => `${PATH}/${encodeURIComponent(slug)}`;

const keys = {
  list: ['experiments'] as const,
  one: (slug: string) => ['experiment', slug] as const,
};

/** The saved comparisons page by page, the last changed first. The old pages stay while a new search is under way. */
export function useExperiments(q: string) {
  return useInfiniteQuery({
    queryKey: [...keys.list, q],
    queryFn: ({ signal, pageParam }) =>
      request<Page<ExperimentItem>>(PATH, { signal, query: { q, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** As many as a list of matches has room for. */
const FOUND_AT_ONCE = 20;

/** The saved comparisons that match, the last changed first. */
export async function findExperiments(q: string, signal: AbortSignal): Promise<readonly ExperimentItem[]> {
  return (await request<Page<ExperimentItem>>(PATH, { signal, query: { q, limit: FOUND_AT_ONCE } })).items;
}

/** One saved comparison. */
export function useExperiment(slug: string) {
  return useQuery({
    queryKey: keys.one(slug),
    queryFn: ({ signal }) => request<Experiment>(pathOf(slug), { signal }),
  });
}

/** Saves a comparison; the answer has its permalink. */
export async function saveExperiment(wanted: NewExperiment): Promise<Experiment> {
  return await changed(await request<Experiment>(PATH, { method: 'POST', body: wanted }));
}

/** Changes what is given and nothing else; the permalink stays. */
export async function changeExperiment(slug: string, change: ExperimentChange): Promise<Experiment> {
  return await changed(await request<Experiment>(pathOf(slug), { method: 'PATCH', body: change }));
}

/** Deletes a saved comparison; its traces stay. */
export function useDeleteExperiment(slug: string) {
  return useMutation({
    mutationFn: () => request<undefined>(pathOf(slug), { method: 'DELETE' }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: keys.one(slug) });
      return queryClient.invalidateQueries({ queryKey: keys.list });
    },
  });
}

async function changed(experiment: Experiment): Promise<Experiment> {
  queryClient.setQueryData(keys.one(experiment.slug), experiment);
  await queryClient.invalidateQueries({ queryKey: keys.list });
  return experiment;
}
