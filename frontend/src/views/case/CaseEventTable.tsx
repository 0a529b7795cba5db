import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { CaseEvent, LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { useClock } from '../../components/clock/useClock';
import { nextRowIndex } from '../../components/table/rowKeys';
import { TaskLink } from '../../components/TaskLink';
import { ViewLink } from '../../components/ViewLink';
import { argsText, flagsText } from '../../lib/eventText';
import type { Clock } from '../../lib/clock';
import { columnText, groupDigits, ns, type Ns } from '../../lib/ns';
import { recordedOrigin } from '../../lib/stamp';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import { timelineAround } from './caseMarks';
import styles from './CaseEvents.module.css';
import type { Lights } from './useLit';

interface CaseEventTableProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
  readonly rows: readonly CaseEvent[];
  readonly lights: Lights;
}

const HEADINGS = ['stamp', 'CPU', 'task', 'flags', 'event', 'arguments'] as const;

/** The events in rows, which are one stop of Tab: from there the arrow keys walk through them. */
export function CaseEventTable({ trace, latencyCase, rows, lights: { lit, picked } }: CaseEventTableProps) {
  const clock = useClock();
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(() => firstInside(rows, latencyCase));
  // The first event of what was picked, else of the case.
  const shown =
    firstOf(rows, ({ seq }) => picked?.events.has(seq) === true) ?? firstInside(rows, latencyCase);
  useEffect(() => {
    // With a little of what came before; the page itself stays where it is.
    const box = scroller.current;
    const row = box?.querySelectorAll<HTMLElement>('tbody tr')[shown];
    if (box && row) box.scrollTop = Math.max(0, row.offsetTop - 5 * row.offsetHeight);
  }, [shown]);
  // A trace whose clock counts microseconds has no decimals to align.
  const isWhole = rows.every(({ t }) => (t - latencyCase.t) % 1000 === 0);
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const next = nextRowIndex(event.key, current, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    event.currentTarget.rows[next]?.querySelector('a')?.focus();
  };
  return (
    <div className={styles.scroller} ref={scroller}>
      <table className={styles.table} aria-label="Events around the case">
        <thead>
          <tr>
            <th scope="col">{clock.isCounting ? 'since start (clock ticks)' : 'since start (µs)'}</th>
            {HEADINGS.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys arrive here from the links of the rows */}
        <tbody onKeyDown={onKeyDown}>
          {rows.map((event, index) => (
            <EventRow
              key={event.seq}
              trace={trace}
              latencyCase={latencyCase}
              event={event}
              isWhole={isWhole}
              isCurrent={index === current}
              isLit={lit?.events.has(event.seq) ?? false}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function firstOf(rows: readonly CaseEvent[], fits: (event: CaseEvent) => boolean): number | undefined {
  const index = rows.findIndex(fits);
  return index < 0 ? undefined : index;
}

const firstInside = (rows: readonly CaseEvent[], latencyCase: LatencyCase) =>
  firstOf(rows, (event) => isInside(event, latencyCase)) ?? 0;

const isInside = ({ t }: CaseEvent, { t: start, end }: LatencyCase) => t >= start && t <= end;

interface EventRowProps extends Pick<CaseEventTableProps, 'trace' | 'latencyCase'> {
  readonly event: CaseEvent;
  /** All events are whole microseconds from the start. */
  readonly isWhole: boolean;
  /** The row that Tab leads to. */
  readonly isCurrent: boolean;
  /** It states an end of what is lit. */
  readonly isLit: boolean;
}

function EventRow({ trace, latencyCase, event, isWhole, isCurrent, isLit }: EventRowProps) {
  const clock = useClock();
  const origin = recordedOrigin(trace);
  const since = ns(event.t - latencyCase.t);
  const flags = flagsText(event.flags);
  return (
    <tr
      data-relevant={event.is_relevant || event.is_key || undefined}
      data-key={event.is_key || undefined}
      data-inside={isInside(event, latencyCase) || undefined}
      data-lit={isLit || undefined}
    >
      <td>
        <ViewLink
          to={paths.timeline(trace.id)}
          search={timelineAt(latencyCase, event)}
          title="Show this event in the timeline"
          tabIndex={isCurrent ? 0 : -1}
        >
          {sinceText(since, isWhole, clock)}
        </ViewLink>
      </td>
      <td className={styles.quiet}>{origin === null ? '' : clock.stamp(origin, ns(event.t))}</td>
      <td>{event.cpu}</td>
      <td>
        <TaskOf event={event} trace={trace} latencyCase={latencyCase} />
      </td>
      <td className={styles.quiet} title={flags.long}>
        {flags.short}
      </td>
      <td>{visibleText(event.event)}</td>
      <td title={visibleText(argsText(event))}>{visibleText(argsText(event))}</td>
    </tr>
  );
}

function sinceText(since: Ns, isWhole: boolean, clock: Clock): string {
  const size = ns(Math.abs(since));
  const micros = isWhole ? groupDigits(size / 1000) : columnText(size, 'µs');
  return `${since < 0 ? '−' : '+'}${clock.isCounting ? groupDigits(size) : micros}`;
}

type TaskOfProps = Pick<EventRowProps, 'trace' | 'latencyCase' | 'event'>;

/** The task that an event was recorded in, which leads to its lane around the case. No stop of Tab: a row is one. */
function TaskOf({ trace, latencyCase, event: { comm, pid } }: TaskOfProps) {
  if (pid === null) return visibleText(taskLabel(comm, pid));
  const { state } = timelineState.read(timelineAround(latencyCase));
  return (
    <TaskLink traceId={trace.id} comm={comm} pid={pid} state={state} className={styles.task} tabIndex={-1} />
  );
}

function timelineAt(latencyCase: LatencyCase, event: CaseEvent) {
  const { state } = timelineState.read(timelineAround(latencyCase));
  return timelineState.write({ ...state, area: undefined, event: { cpu: event.cpu, t: ns(event.t) } });
}
