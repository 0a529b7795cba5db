import type { CallTreeAnswer } from '../../api/calls';
import { Button } from '../../components/button/Button';
import { ChartWays } from '../../components/chart/ChartWays';
import type { PictureFormat } from '../../components/chart/pictureFile';
import { useClock } from '../../components/clock/useClock';
import { SearchField } from '../../components/search/SearchField';
import { Switch, SwitchGroup, Toolbar } from '../../components/toolbar/Toolbar';
import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { matchedShare } from './flameGraph';
import type { GraphMatch } from './search/matches';
import { SearchSteps } from './search/SearchSteps';
import { TimeSwitches } from './TimeSwitches';
import { WindowSwitch } from './WindowSwitch';

interface GraphToolbarProps extends CallsPart {
  readonly answer: CallTreeAnswer | undefined;
  /** What the search finds, in the order in which it is stepped through. */
  readonly matches: readonly GraphMatch[];
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
  /** Absent where what is shown is not stacks from their roots. */
  readonly onFolded?: () => void;
}

/** Above the merged calls: their order, what of them a search finds, and the ways out. */
export function GraphToolbar({ state, setState, switches, answer, matches, ...ways }: GraphToolbarProps) {
  const isSandwich = state.order === 'sandwich';
  const matched = answer && !isSandwich ? matchedShare(answer, state.q) : undefined;
  const clock = useClock();
  const current = matches.findIndex(({ path }) => path === state.focus);
  return (
    <Toolbar
      tools={
        <>
          <SearchSteps
            q={state.q}
            count={matches.length}
            current={current < 0 ? undefined : current}
            what={matches.length === 1 ? 'match' : 'matches'}
            onStep={(match) => setState({ focus: matches[match]?.path ?? '' })}
          />
          {state.q !== '' && matched && answer && (
            <span data-testid="matched">
              {`${groupDigits(matched.functions)} matching ${matched.functions === 1 ? 'function' : 'functions'}: ${percentText(matched.total_ns, answer.total_ns)} of ${clock.duration(ns(answer.total_ns))}`}
            </span>
          )}
          {answer?.truncated && (
            <span className={styles.quiet}>
              {`${groupDigits(answer.truncated.nodes)} small functions folded (${percentText(answer.truncated.total_ns, answer.total_ns)})`}
            </span>
          )}
          <ChartWays
            what={isSandwich ? 'callers and callees' : 'the merged calls'}
            onTable={ways.onTable}
            onPicture={ways.onPicture}
          />
          {state.order === 'top-down' && ways.onFolded && (
            <Button look="bare" label="Save as folded stacks, for flame graph tools" onClick={ways.onFolded}>
              Folded
            </Button>
          )}
        </>
      }
    >
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
        <Switch
          isOn={isSandwich}
          title="One function between its callers and its callees"
          onClick={() => setState({ order: 'sandwich', of: sandwichOf(state, answer), focus: '' })}
        >
          sandwich
        </Switch>
      </SwitchGroup>
      <TimeSwitches time={state.time} net={answer?.net} onTime={(time) => setState({ time })} />
      <WindowSwitch state={state} setState={setState} />
    </Toolbar>
  );
}

/** The function that a sandwich is of: the one in focus, else the one that was chosen before, else the largest. */
function sandwichOf({ focus, of }: CallsPart['state'], answer: CallTreeAnswer | undefined): string {
  const focused = focus.split(';').at(-1) ?? '';
  if (focused !== '') return focused;
  return of === '' && answer ? largestOwn(answer) : of;
}

/** The function with the most time of its own; that of the outermost ones is mostly of others. */
function largestOwn({ nodes, symbols }: CallTreeAnswer): string {
  const own = new Map<number, number>();
  for (const { symbol_idx, self_ns } of nodes) {
    if (symbol_idx !== null) own.set(symbol_idx, (own.get(symbol_idx) ?? 0) + self_ns);
  }
  const [largest] = [...own].toSorted((a, b) => b[1] - a[1]);
  return symbols[largest?.[0] ?? -1] ?? '';
}
