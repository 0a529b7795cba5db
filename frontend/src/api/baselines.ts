import { queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import type { PriorityClass } from './latencyTypes';
import { queryClient } from './queryClient';
import { request } from './request';
import { selectedBy, type TrendTraces } from './trend';

type Schemas = components['schemas'];

/** A saved selection of traces that others are compared with. */
export type Baseline = Schemas['BaselineAnswer'];

export type BaselineItem = Schemas['BaselineItem'];

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

export type CheckResult = Schemas['CheckResult'];

interface BaselineCheck extends Samples {
  readonly trace: string;
  readonly kind: string;
  readonly key: string | null;
  /** A number of the card, such as `p99_ns`. */
  readonly stat: string;
  readonly baseline: string;
  /** How much of the baseline's number is allowed, as a factor: `1.1`. */
  readonly allow: string;
}

/** Whether one number of a trace keeps to a baseline's, as automation asks for it. */
export const baselineCheckQuery = ({ trace, ...check }: BaselineCheck) =>
  queryOptions({
    queryKey: ['baseline', check.baseline, 'check', trace, check],
    queryFn: async ({ signal }) => {
      const path = `/traces/${encodeURIComponent(trace)}/checks`;
      const body = [checkBody(check)];
      const report = await request<Schemas['CheckReport']>(path, { method: 'POST', body, signal });
      return report.results[0];
    },
  });

/** The check as REST takes it. */
export function checkBody({ kind, key, stat, baseline, allow, ...of }: Omit<BaselineCheck, 'trace'>) {
  const isField = kind === 'field';
  const where = {
    ...whereOf(of),
    ...(key !== null && !isField && { key }),
  };
  return {
    kind,
    ...(isField && key !== null && { field: key }),
    stat: stat.replace(/_ns$/, ''),
    op: '<=',
    value: allow === '1' ? 'baseline' : `baseline * ${allow}`,
    baseline,
    ...(Object.keys(where).length > 0 && { where }),
  };
}

interface Samples {
  readonly cpu: number | undefined;
  readonly comm: string;
  readonly priority: readonly PriorityClass[];
}

const whereOf = ({ cpu, comm, priority }: Samples) => ({
  ...(cpu !== undefined && { cpu }),
  ...(comm !== '' && { comm }),
  ...(priority.length > 0 && { priority_class: priority.join(',') }),
});

interface NewBaseline extends TrendTraces, Samples {
  readonly name: string;
  readonly note: string;
}

/** Saves traces as a baseline for others. */
export async function saveBaseline({ name, note, ...of }: NewBaseline): Promise<Baseline> {
  const body = { name, note, variant: selectedBy(of), where: whereOf(of) };
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
