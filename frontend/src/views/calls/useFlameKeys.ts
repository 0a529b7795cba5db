import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useKeys } from '../../components/keys/keys';
import type { CallsState } from '../../viewState/calls';
import type { SetViewState } from '../../viewState/useViewState';
import type { Direction } from './flameChart';

interface FlameKeys {
  readonly view: TraceWindow;
  readonly setState: SetViewState<CallsState>;
  /** The time under the pointer. */
  readonly anchor: number | undefined;
  readonly step: (direction: Direction) => void;
}

/** The keys of the flame chart. */
export function useFlameKeys({ view, setState, anchor, step }: FlameKeys): void {
  useWindowKeys('Calls over time', view.live, view.domain, anchor);
  useKeys('Calls over time', [
    { keys: ['ArrowLeft'], does: 'Previous call at this depth', run: () => step('left') },
    { keys: ['ArrowRight'], does: 'Next call at this depth', run: () => step('right') },
    { keys: ['ArrowUp'], does: 'The caller', run: () => step('up') },
    { keys: ['ArrowDown'], does: 'What it calls', run: () => step('down') },
    { keys: ['Escape'], does: 'Drop the selection', run: () => setState({ call: undefined }) },
  ]);
}
