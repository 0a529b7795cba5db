import { useClock } from '../../components/clock/useClock';
import { Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import { ns } from '../../lib/ns';
import type { CallsPart } from './Calls';

/** How much of the trace is shown where that is not all of it, and the way to all of it. */
export function WindowSwitch({ state: { window }, setState }: Pick<CallsPart, 'state' | 'setState'>) {
  const clock = useClock();
  if (window === undefined) return null;
  return (
    <SwitchGroup name="Window">
      <span>{clock.duration(ns(window.end - window.start))}</span>
      <Switch isOn={false} onClick={() => setState({ window: undefined }, { history: 'push' })}>
        whole trace
      </Switch>
    </SwitchGroup>
  );
}
