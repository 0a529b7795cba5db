import { queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { request } from './request';

export type Service = components['schemas']['ServiceAnswer'];

/** What the server is, and how it is doing; asked again while the page is open, since it changes by itself. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => request<Service>('/service', { signal }),
  refetchInterval: 5_000,
});
