import type { TraceEvent } from '../../../api/events';
import { useClock } from '../../../components/clock/useClock';
import { isOfOneTask } from '../../../components/lanes/taskLanes';
import { groupDigits, ns } from '../../../lib/ns';
import styles from '../Details.module.css';
import { EventLink } from './EventLink';
import { TaskButton } from './TaskButton';
import { useWakees, type ShownSlice } from './useSlice';

interface WakeesProps {
  readonly traceId: string;
  readonly slice: ShownSlice;
  readonly onEvent: (event: TraceEvent) => void;
  readonly onTask: (pid: number) => void;
}

const MOST_SHOWN = 8;

/** The tasks that were woken on this CPU while the slice lasted. */
export function Wakees({ traceId, slice: { span, lane, index }, onEvent, onTask }: WakeesProps) {
  const clock = useClock();
  const cpu = span.cpu ?? lane.on_cpu?.[index];
  const isRunning = !isOfOneTask(lane) || lane.symbol_idx[index] === null;
  const wakees = useWakees(traceId, { ...span, ...(cpu !== undefined && isRunning && { cpu }) });
  if (wakees.length === 0) return null;
  const rest = wakees.length - MOST_SHOWN;
  return (
    <section aria-label="Tasks woken">
      <h4 className={styles.kind}>Tasks woken</h4>
      <ul className={styles.wakees}>
        {wakees.slice(0, MOST_SHOWN).map((event) => (
          <li key={event.seq}>
            <TaskButton task={wakeeOf(event)} onTask={onTask} />{' '}
            <span className={styles.quiet}>
              {`+${clock.duration(ns(event.t - span.start))}${contextText(event)}`}
            </span>{' '}
            <EventLink event={event} onEvent={onEvent} />
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={styles.quiet}>{`and ${groupDigits(rest)} more`}</p>}
    </section>
  );
}

function wakeeOf({ args: { comm, pid, prio } }: TraceEvent) {
  return {
    comm: typeof comm === 'string' ? comm : null,
    pid: typeof pid === 'number' ? pid : null,
    prio: typeof prio === 'number' ? prio : null,
  };
}

function contextText({ flags }: TraceEvent): string {
  if (flags?.['hardirq'] === true) return ', in an interrupt';
  return flags?.['softirq'] === true ? ', in a softirq' : '';
}
