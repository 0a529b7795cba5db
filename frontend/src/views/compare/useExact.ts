import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CompareRequest, Comparison } from '../../api/compare';
import { exactQuery, type ExactProgress } from '../../api/exactQuantiles';
import { withExact } from './withExact';

export interface Exact {
  /** The comparison, with exact quantiles once they are read. */
  readonly answer: Comparison | undefined;
  /** `known` where sums are exact; else whether the samples are read. */
  readonly state: 'known' | 'rounded' | 'reading' | 'read';
  readonly progress: ExactProgress | undefined;
  readonly error: Error | null;
  readonly read: () => void;
  readonly stop: () => void;
}

/** Quantiles from the samples themselves, which are read when somebody asks for them. */
export function useExact(asked: CompareRequest, answer: Comparison | undefined): Exact {
  const [wanted, setWanted] = useState('');
  const [progress, setProgress] = useState<ExactProgress>();
  const client = useQueryClient();
  const options = exactQuery(asked, setProgress);
  const key = JSON.stringify(options.queryKey);
  const query = useQuery({ ...options, enabled: wanted === key, retry: false });
  const isRounded = answer?.variants.some(({ exact }) => !exact) ?? false;
  return {
    answer: answer && query.data ? withExact(answer, query.data) : answer,
    state: !isRounded ? 'known' : query.data ? 'read' : query.isFetching ? 'reading' : 'rounded',
    progress,
    error: query.error,
    read: () => {
      setProgress(undefined);
      setWanted(key);
      if (query.isError) void query.refetch();
    },
    stop: () => {
      setWanted('');
      void client.cancelQueries({ queryKey: options.queryKey });
    },
  };
}
