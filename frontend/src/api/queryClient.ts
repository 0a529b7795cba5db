import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../lib/problem';

/** What has been asked for and is kept in memory; one for the page, because uploads continue between views. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays a refusal; only a server that cannot be reached or has failed is asked again.
      retry: (failures, error) =>
        failures < 2 &&
        error instanceof ProblemError &&
        (error.problem.status === 0 || error.problem.status >= 500),
    },
  },
});
