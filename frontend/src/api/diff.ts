import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { recentTraces } from '../lib/recentTraces';
import { apiUrl, request, requestText } from './request';

type Schemas = components['schemas'];

/** The shapes of the answers about a comparison by the names that the page uses. */
export type DiffAnswer = Schemas['Diff'];
export type DiffSide = Schemas['DiffSide'];
export type DiffRows = Schemas['DiffRows'];
export type DiffColumns = Schemas['DiffColumns'];
export type DiffGuard = Schemas['DiffGuard'];
export type Contribution = Schemas['DiffContribution'];
export type DiffCause = Schemas['DiffCause'];
export type DiffTimes = Pick<DiffCause, 'abnormal_ns' | 'normal_ns' | 'delta_ns'>;
export type DiffSet = Schemas['DiffSet'];
export type Normals = Schemas['DiffNormals'];
export type NormalTrace = Schemas['DiffNormalTrace'];

/** Something of each side. What differs is abnormal minus normal. */
export interface Sides<T> {
  readonly abnormal: T;
  readonly normal: T;
}

export type SideName = keyof Sides<unknown>;

export const SIDE_NAMES = ['abnormal', 'normal'] as const satisfies readonly SideName[];

/** The two sides as links spell them, and how much of the answer is wanted. */
export interface DiffRequest {
  readonly abnormal: string;
  readonly normal: string;
  /** Nanoseconds below which a difference is noise; 1 % of the whole one where absent. */
  readonly noise_floor: number | undefined;
  /** The most rows of the tree. */
  readonly limit: number;
}

const PATH = '/diff';

const queryOf = ({ noise_floor, ...diff }: DiffRequest) => ({
  ...diff,
  noise_floor: noise_floor === undefined ? undefined : `${noise_floor}ns`,
});

/** The comparison of two sides. Of two traces that do not change, so the answer stays right. */
export const diffQuery = (diff: DiffRequest) =>
  queryOptions({
    queryKey: ['diff', diff],
    queryFn: ({ signal }) => request<DiffAnswer>(PATH, { signal, query: queryOf(diff) }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 120_000,
  });

/** As many as the server lists. */
const MOST_NORMALS = 100;

/** Other traces with a call or case like this one. New ones may come at any time. */
export const normalsQuery = (abnormal: string) =>
  queryOptions({
    queryKey: ['diff', 'normals', abnormal],
    queryFn: ({ signal }) =>
      request<Normals>(`${PATH}/normals`, {
        signal,
        query: { abnormal, recent: recentTraces(), limit: MOST_NORMALS },
      }),
    retry: false,
  });

/** The comparison as plain text, for a mail. */
export const diffText = (diff: DiffRequest): Promise<string> =>
  requestText(PATH, { ...queryOf(diff), format: 'text' });

/** Where the comparison can be loaded as a self-contained page. */
export const diffHtmlUrl = (diff: DiffRequest): string => apiUrl(PATH, { ...queryOf(diff), format: 'html' });
