import type { ReactNode } from 'react';
import { isOfTasks } from '../../../components/lanes/laneAnswer';
import { boostAt, isOfOneTask } from '../../../components/lanes/taskLanes';
import { unrecordedNs } from '../../../components/lanes/unrecorded';
import { useClock } from '../../../components/clock/useClock';
import { Duration } from '../../../components/Quantity';
import { argsText } from '../../../lib/eventText';
import { ns } from '../../../lib/ns';
import { priorityOf } from '../../../lib/priority';
import { taskStateText } from '../../../lib/taskState';
import { visibleText } from '../../../lib/visibleText';
import type { TraceEvent } from '../../../api/events';
import styles from '../Details.module.css';
import { Exact } from '../../../components/Exact';
import { useWaking } from '../tasks/waking';
import { EventLink } from './EventLink';
import { TaskButton } from './TaskButton';
import { taskOf, useWaitBefore, type ShownSlice, type SliceEnds } from './useSlice';

interface SliceFactsProps {
  readonly traceId: string;
  readonly originNs: string | null;
  readonly slice: ShownSlice;
  readonly ends: SliceEnds;
  readonly onEvent: (event: TraceEvent) => void;
  readonly onTask: (pid: number) => void;
}

/** What is known of one slice: when and how long, whose it is, how it came about and how it ended. */
export function SliceFacts({ traceId, originNs, slice, ends, onEvent, onTask }: SliceFactsProps) {
  const clock = useClock();
  const { lane, index, answer, span } = slice;
  const duration = ns(span.end - span.start);
  const before = unrecordedNs(span.start, duration);
  const self = lane.self_ns?.[index];
  const isRun = isOfTasks(lane, answer);
  const task = isRun ? undefined : taskOf(answer, slice);
  const boost = isOfOneTask(lane) ? boostAt(answer, lane.task.pid, span.start) : undefined;
  const priority = priorityOf(priorityIn(slice, ends));
  const prevState = ends.end?.event === 'sched_switch' ? ends.end.args['prev_state'] : undefined;
  return (
    <dl className={styles.facts}>
      <Fact name="duration">
        <Duration value={duration} /> <Exact value={duration} />
        {before > 0 && (
          <p className={styles.quiet}>{`${clock.duration(ns(before))} of it before the first record`}</p>
        )}
      </Fact>
      {typeof self === 'number' && self !== duration && (
        <Fact name="self" title="Excluding what interrupted it">
          <Duration value={ns(self)} /> <Exact value={self} />
        </Fact>
      )}
      <Fact name="start">
        {`${clock.instant(ns(span.start))} `}
        <EventLink event={ends.start} onEvent={onEvent} />
      </Fact>
      <Fact name="end">
        {`${clock.instant(ns(span.end))} `}
        <EventLink event={ends.end} onEvent={onEvent} />
      </Fact>
      {originNs !== null && (
        <Fact name="stamp" title="As printed in the file">
          {clock.stamp(originNs, ns(span.start))}
        </Fact>
      )}
      <Fact name="CPU">{lane.cpu ?? lane.on_cpu?.[index] ?? '?'}</Fact>
      {task !== undefined && (
        <Fact
          name={isOfOneTask(lane) ? 'task' : 'in'}
          title={isOfOneTask(lane) ? 'Whose lane it is' : 'Task that was running'}
        >
          <TaskButton task={task} onTask={onTask} />
        </Fact>
      )}
      {priority !== undefined && (
        <Fact name="priority">
          {priority.text} <span className={styles.quiet}>{priority.kernel}</span>
        </Fact>
      )}
      {boost !== undefined && <Fact name="priority">{boost}</Fact>}
      {isRun && typeof prevState === 'string' && (
        <Fact name="end state" title="State in which the task left the CPU (prev_state)">
          {visibleText(taskStateText(prevState))}
        </Fact>
      )}
      <Waker {...{ traceId, slice, onEvent, onTask }} />
      {ends.start !== undefined && Object.keys(ends.start.args).length > 0 && (
        <Fact name="arguments" title="Of the event that begins it">
          <span className={styles.code}>{visibleText(argsText(ends.start))}</span>
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly title?: string;
  readonly children: ReactNode;
}

function Fact({ name, title, children }: FactProps) {
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The kernel's priority with which the task of a slice came onto the CPU, or left it. */
function priorityIn({ lane, answer }: ShownSlice, { start, end }: SliceEnds): number | undefined {
  const recorded = isOfTasks(lane, answer) ? (start?.args['next_prio'] ?? end?.args['prev_prio']) : undefined;
  return typeof recorded === 'number' ? recorded : undefined;
}

/** How long the task wanted the CPU before, and who woke it, if it had slept. */
function Waker({ traceId, slice, onEvent, onTask }: Omit<SliceFactsProps, 'originNs' | 'ends'>) {
  const { span, lane } = slice;
  const wait = useWaitBefore(traceId, slice);
  const isTaskLane = isOfOneTask(lane);
  // On the lane of a task, the waking is where its waiting begins.
  const wokenAt = isTaskLane ? span.start : wait?.since;
  const pid = wokenAt === undefined ? undefined : span.pid;
  const waking = useWaking(
    traceId,
    pid === undefined ? undefined : { cpu: 0, kind: 'task', depth: 0, pid, t: ns(wokenAt ?? 0) },
  );
  return (
    <>
      {wait !== undefined && (
        <Fact name="waited" title="From when it wanted the CPU to when it got it">
          <Duration value={ns(span.start - wait.since)} />{' '}
          <span className={styles.quiet}>{visibleText(wait.state)}</span>
        </Fact>
      )}
      {waking !== undefined && (
        <Fact name="woken by">
          {contextOf(waking)}
          <TaskButton task={waking} onTask={onTask} /> {`on CPU ${waking.cpu} `}
          <EventLink event={waking} onEvent={onEvent} />
        </Fact>
      )}
    </>
  );
}

/** `a softirq in `: a handler wakes on behalf of no task. */
function contextOf({ flags }: TraceEvent): string {
  if (flags?.['hardirq'] === true) return 'an interrupt in ';
  return flags?.['softirq'] === true ? 'a softirq in ' : '';
}
