import type { Trace } from '../../../api/types';
import { Button } from '../../../components/button/Button';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { WindowText } from '../../../components/chart/WindowText';
import { CpuSwitches, ScaleSwitch } from '../../../components/toolbar/Toolbar';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import styles from './SeriesPanel.module.css';

interface SeriesControlsProps {
  readonly trace: Trace;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
  readonly view: TraceWindow;
  readonly isLoading: boolean;
}

const NO_CPUS: readonly number[] = [];

/** What stretch is in sight, the scale of the durations, and whose latencies are shown. */
export function SeriesControls({ trace, state, setState, view, isLoading }: SeriesControlsProps) {
  const { live, domain } = view;
  return (
    <div className={styles.controls}>
      <WindowText window={live.window} isLoading={isLoading} />
      <ScaleSwitch scale={state.scale} onScale={(scale) => setState({ scale })} />
      <CpuSwitches
        cpus={trace.cpus ?? NO_CPUS}
        shown={state.cpu}
        onShown={(cpu) => setState({ cpu }, { history: 'push' })}
      />
      {state.window && (
        <Button look="bare" label="Whole trace (F)" onClick={() => live.jump(domain)}>
          Whole trace
        </Button>
      )}
    </div>
  );
}
