import { Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import type { TrendState, TrendStat } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import { STAT_NAMES } from './trendPlot';

interface StatChoiceProps {
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
}

const IN_ORDER: readonly TrendStat[] = [
  'mean_ns',
  'p50_ns',
  'p90_ns',
  'p99_ns',
  'p99_9_ns',
  'p99_99_ns',
  'max_ns',
];

/** Which number of the runs is followed. */
export function StatChoice({ state, setState }: StatChoiceProps) {
  return (
    <SwitchGroup name="number">
      {IN_ORDER.map((stat) => (
        <Switch key={stat} isOn={state.stat === stat} onClick={() => setState({ stat }, { history: 'push' })}>
          {STAT_NAMES[stat]}
        </Switch>
      ))}
    </SwitchGroup>
  );
}
