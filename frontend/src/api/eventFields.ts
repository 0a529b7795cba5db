import { queryOptions } from '@tanstack/react-query';
import { request } from './request';
import type { EventField, Page } from './types';

/** As many as one answer holds; those of the most frequent events come first. */
const MOST_FIELDS = 1000;

/** The fields of the recorded events that hold numbers. */
export const eventFieldsQuery = (trace: string) =>
  queryOptions({
    queryKey: ['trace', trace, 'event fields'],
    queryFn: ({ signal }) =>
      request<Page<EventField>>(`/traces/${encodeURIComponent(trace)}/event-fields`, {
        signal,
        query: { limit: MOST_FIELDS },
      }),
    select: ({ items }) => items,
    staleTime: Infinity,
  });
