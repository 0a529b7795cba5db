import { queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { queryClient } from './queryClient';
import { request } from './request';
import { selectedBy, type TrendTraces } from './trend';

type Schemas = components['schemas'];

/** A saved selection of traces that others are compared with. */
export type Baseline = Schemas['BaselineAnswer'];

const PATH = '/baselines';
const pathOf = (slug: string) => `${PATH}/${encodeURIComponent(slug)}`;

/** All baselines, the last changed first. */
export const baselinesQuery = queryOptions({
  queryKey: ['baselines'],
  queryFn: ({ signal }) => request<Schemas['BaselineList']>(PATH, { signal }),
});

/** One baseline, with how many of its traces are there. */
export const baselineQuery = (slug: string) =>
  queryOptions({
    queryKey: ['baseline', slug],
    queryFn: ({ signal }) => request<Baseline>(pathOf(slug), { signal }),
  });

interface NewBaseline extends TrendTraces {
  readonly name: string;
  readonly note: string;
  readonly cpu: number | undefined;
  readonly comm: string;
}

/** Saves traces as a baseline for others. */
export async function saveBaseline({ name, note, cpu, comm, ...of }: NewBaseline): Promise<Baseline> {
  const where = { ...(cpu !== undefined && { cpu }), ...(comm !== '' && { comm }) };
  const body = { name, note, variant: selectedBy(of), where };
  const saved = await request<Baseline>(PATH, { method: 'POST', body });
  await queryClient.invalidateQueries(baselinesQuery);
  return saved;
}

/** Deletes a baseline; its traces stay. */
export async function deleteBaseline(slug: string): Promise<void> {
  await request<undefined>(pathOf(slug), { method: 'DELETE' });
  queryClient.removeQueries({ queryKey: ['baseline', slug] });
  await queryClient.invalidateQueries(baselinesQuery);
}
