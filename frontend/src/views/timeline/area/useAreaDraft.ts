import { useState } from 'react';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { ns } from '../../../lib/ns';
import type { TimelineState } from '../../../viewState/timeline';
import type { SetViewState } from '../../../viewState/useViewState';

/** The stretch that is being dragged, which becomes the selected one when the button is let go. */
export function useAreaDraft(setState: SetViewState<TimelineState>, settle: () => void) {
  const [draft, setDraft] = useState<TimeWindow>();
  const onSettled = () => {
    if (draft) {
      const drawn = { start: ns(draft.start), end: ns(Math.max(draft.end, draft.start + 1)) };
      setState({ area: drawn, slice: undefined, event: undefined }, { history: 'push' });
    }
    setDraft(undefined);
    settle();
  };
  return { draft, setDraft, onSettled };
}
