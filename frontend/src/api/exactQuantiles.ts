import { queryOptions } from '@tanstack/react-query';
import { ProblemError, UNREACHABLE } from '../lib/problem';
import { comparisonOf, type CompareRequest } from './compare';
import type { components } from './generated';
import { requestLines } from './request';

type Schemas = components['schemas'];

export type ExactProgress = Schemas['ExactProgress'];
export type ExactVariant = Schemas['ExactVariant'];

/** The quantiles of all variants from the samples themselves. It takes a while: `onProgress` hears of each trace. */
export const exactQuery = (asked: CompareRequest, onProgress: (progress: ExactProgress) => void) => {
  const body = comparisonOf({ ...asked, strata: [] });
  return queryOptions({
    queryKey: ['compare', 'exact', body],
    queryFn: async ({ signal }) => {
      let found: readonly ExactVariant[] | undefined;
      await requestLines(
        '/compare/exact',
        body,
        (line) => {
          const read = line as ExactProgress | Schemas['ExactQuantiles']; // the server's types are checked where they are generated
          if ('done' in read) onProgress(read);
          else found = read.variants;
        },
        signal,
      );
      if (found === undefined) throw new ProblemError(UNREACHABLE);
      return found;
    },
    staleTime: Infinity,
  });
};
