import { useQuery } from '@tanstack/react-query';
import { statsQuery, type SamplesOf } from '../../../api/latencies';
import type { TraceState } from '../../../viewState/trace';
import { bandLengths, chosenBand } from './shownKind';

/** How many samples have one of the chosen durations; nothing while none are chosen, or until it is known. */
export function useBandCount(
  traceId: string,
  samples: SamplesOf | undefined,
  state: TraceState,
): number | undefined {
  const band = chosenBand(state);
  const { data, isPlaceholderData } = useQuery({
    ...statsQuery(traceId, {
      ...(samples ?? NO_KIND),
      bucket: 'log2/4',
      start: state.window?.start,
      end: state.window?.end,
      ...bandLengths(band),
    }),
    enabled: samples !== undefined && band !== undefined,
  });
  if (band === undefined || data === undefined || isPlaceholderData) return undefined;
  return data.groups.reduce((sum, { count }) => sum + count, 0);
}

const NO_KIND = { kind: '' };
