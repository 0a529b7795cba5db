import { Button } from '../../components/button/Button';
import { ChartWays } from '../../components/chart/ChartWays';
import type { PictureFormat } from '../../components/chart/pictureFile';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { WindowText } from '../../components/chart/WindowText';
import { Switch, SwitchGroup, Toolbar } from '../../components/toolbar/Toolbar';
import { SearchField } from '../../components/search/SearchField';
import type { CallsPart } from './Calls';
import type { ChartSearch } from './search/useChartSearch';
import { SearchSteps } from './search/SearchSteps';

interface FlameToolbarProps extends Pick<CallsPart, 'state' | 'setState' | 'switches'> {
  readonly view: TraceWindow;
  readonly isLoading: boolean;
  readonly search: ChartSearch;
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
}

/** Above the flame chart: what its rows are, what is in sight, and the ways out. */
export function FlameToolbar({
  state,
  setState,
  switches,
  view,
  isLoading,
  search,
  ...ways
}: FlameToolbarProps) {
  return (
    <Toolbar
      isWide
      tools={
        <>
          <SearchSteps
            q={state.q}
            count={search.count}
            current={search.current}
            what="visible"
            onStep={search.onStep}
          />
          <WindowText window={view.live.window} isLoading={isLoading} />
          <Button
            look="bare"
            label="Fit the whole trace (F, or a double click)"
            onClick={() => view.live.jump(view.domain)}
          >
            Fit
          </Button>
          <ChartWays what="the calls" {...ways} />
        </>
      }
    >
      <SearchField label="Search functions" value={state.q} onChange={(q) => setState({ q })} />
      {switches}
      <SwitchGroup name="Rows by">
        <Switch isOn={state.by === 'cpu'} onClick={() => setState({ by: 'cpu' })}>
          CPU
        </Switch>
        <Switch isOn={state.by === 'task'} onClick={() => setState({ by: 'task' })}>
          task
        </Switch>
      </SwitchGroup>
    </Toolbar>
  );
}
