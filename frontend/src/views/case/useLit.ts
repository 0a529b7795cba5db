import { useMemo, useState } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import { caseState } from '../../viewState/case';
import { useViewState } from '../../viewState/useViewState';
import { litBy, type Lit } from './lit';

export interface Lights {
  /** What is lit now: what is pointed at, else what was picked. */
  readonly lit: Lit | undefined;
  /** The picked one, which the address keeps. */
  readonly picked: Lit | undefined;
  /** Points at a stage or link, or at nothing any more. */
  readonly point: (id: string | undefined) => void;
  /** Picks a stage or link; once more lets it go. */
  readonly pick: (id: string) => void;
}

/** Which stage or link of a case is lit on its ruler, its lanes and among its events. */
export function useLit(latencyCase: LatencyCase): Lights {
  const [state, setState] = useViewState(caseState);
  const [pointed, point] = useState<string>();
  return useMemo(() => {
    const picked = state.lit === '' ? undefined : litBy(latencyCase, state.lit);
    return {
      picked,
      lit: (pointed === undefined ? undefined : litBy(latencyCase, pointed)) ?? picked,
      point,
      pick: (id: string) => setState({ lit: picked?.id === id ? '' : id }),
    };
  }, [latencyCase, state.lit, pointed, setState]);
}
