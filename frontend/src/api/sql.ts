import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { request, requestBlob } from './request';

type Schemas = components['schemas'];

export type SqlAnswer = Schemas['SqlAnswer'];
export type SqlColumn = Schemas['SqlColumn'];
export type SqlView = Schemas['SqlView'];
export type SqlValue = SqlAnswer['rows'][number][number];

export interface SqlRequest {
  readonly sql: string;
  /** The value of `$1` in the statement. */
  readonly traces: readonly string[];
  readonly limit: number;
}

/** The rows of a statement. It is run again only when somebody asks for it. */
export const sqlQuery = (body: SqlRequest) =>
  queryOptions({
    queryKey: ['sql', body],
    queryFn: ({ signal }) => request<SqlAnswer>('/sql', { method: 'POST', body, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: body.sql !== '',
    retry: false,
  });

/** The views that a statement may read. */
export const sqlViewsQuery = queryOptions({
  queryKey: ['sql', 'views'],
  queryFn: ({ signal }) => request<Schemas['SqlViews']>('/sql/views', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The rows as a file of CSV. */
export function sqlCsv(body: SqlRequest): Promise<Blob> {
  return requestBlob('/sql', body, 'text/csv');
}
