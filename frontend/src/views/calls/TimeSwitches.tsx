import type { CallTreeAnswer } from '../../api/calls';
import { useClock } from '../../components/clock/useClock';
import { Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import type { Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import type { CallsState } from '../../viewState/calls';
import styles from './Calls.module.css';

interface TimeSwitchesProps {
  readonly time: CallsState['time'];
  /** What the answer left out; null where it has wall times. */
  readonly net: CallTreeAnswer['net'] | undefined;
  readonly onTime: (time: CallsState['time']) => void;
}

/** Which time of a call counts, and what the choice leaves out. */
export function TimeSwitches({ time, net, onTime }: TimeSwitchesProps) {
  const clock = useClock();
  return (
    <SwitchGroup name="Time">
      <Switch isOn={time === 'gross'} title="From entry to exit" onClick={() => onTime('gross')}>
        wall
      </Switch>
      <Switch
        isOn={time === 'net'}
        title="CPU time of the own task: without interrupts and softirqs, and without time switched out"
        onClick={() => onTime('net')}
      >
        own CPU
      </Switch>
      {time === 'net' && net && <span className={styles.quiet}>{leftOut(net, clock)}</span>}
    </SwitchGroup>
  );
}

/** What was left out, and what could not be, because it was not recorded. */
function leftOut(
  { taken_ns, has_interrupts, has_switches }: NonNullable<CallTreeAnswer['net']>,
  clock: Clock,
): string {
  const missing = [!has_interrupts && 'interrupts', !has_switches && 'switches'].filter(Boolean);
  const unknown = missing.length === 0 ? '' : `; no ${missing.join(' or ')} recorded`;
  return `without ${clock.duration(ns(taken_ns))}${unknown}`;
}
