import type { CallTreeAnswer } from '../../api/calls';
import { Button } from '../../components/button/Button';
import { ChartWays } from '../../components/chart/ChartWays';
import type { PictureFormat } from '../../components/chart/exportPicture';
import { SearchField } from '../../components/search/SearchField';
import { Switch, SwitchGroup, Toolbar, ToolbarGap } from '../../components/toolbar/Toolbar';
import { durationText, groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { matchedShare } from './flameGraph';

interface GraphToolbarProps extends CallsPart {
  readonly answer: CallTreeAnswer | undefined;
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
  readonly onFolded: () => void;
}

/** Above the merged calls: their order, what of them a search finds, and the ways out. */
export function GraphToolbar({ state, setState, switches, answer, ...ways }: GraphToolbarProps) {
  const matched = answer ? matchedShare(answer, state.q) : undefined;
  return (
    <Toolbar>
      <SearchField label="Search functions" value={state.q} onChange={(q) => setState({ q })} />
      {switches}
      <SwitchGroup name="Order">
        <Switch isOn={state.order === 'top-down'} onClick={() => setState({ order: 'top-down', focus: '' })}>
          callers first
        </Switch>
        <Switch
          isOn={state.order === 'bottom-up'}
          onClick={() => setState({ order: 'bottom-up', focus: '' })}
        >
          callees first
        </Switch>
      </SwitchGroup>
      {state.window && (
        <SwitchGroup name="Window">
          <span>{durationText(ns(state.window.end - state.window.start))}</span>
          <Switch isOn={false} onClick={() => setState({ window: undefined }, { history: 'push' })}>
            whole trace
          </Switch>
        </SwitchGroup>
      )}
      <ToolbarGap />
      {state.q !== '' && matched && answer && (
        <span data-testid="matched">
          {`${groupDigits(matched.functions)} matching ${matched.functions === 1 ? 'function' : 'functions'}: ${percentText(matched.total_ns, answer.total_ns)} of ${durationText(ns(answer.total_ns))}`}
        </span>
      )}
      {answer?.truncated && (
        <span className={styles.quiet}>
          {`${groupDigits(answer.truncated.nodes)} small functions folded (${percentText(answer.truncated.total_ns, answer.total_ns)})`}
        </span>
      )}
      <ChartWays what="the merged calls" onTable={ways.onTable} onPicture={ways.onPicture} />
      {state.order === 'top-down' && (
        <Button look="bare" label="Save as folded stacks, for flame graph tools" onClick={ways.onFolded}>
          Folded
        </Button>
      )}
    </Toolbar>
  );
}
