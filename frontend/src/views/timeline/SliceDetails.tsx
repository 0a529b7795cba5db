import { useQuery } from '@tanstack/react-query';
import type { TraceEvent } from '../../api/events';
import { timelineQuery, type TimelineAnswer } from '../../api/lanes';
import { problemOf } from '../../lib/problem';
import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Duration } from '../../components/Quantity';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { exactIn, ns } from '../../lib/ns';
import { stampText } from '../../lib/stamp';
import type { SliceId } from '../../viewState/itemIds';
import styles from './Details.module.css';
import { itemName } from '../../components/lanes/laneModel';
import { isOfTasks, kindOf } from '../../components/lanes/sliceKinds';
import { isOfOneTask } from '../../components/lanes/taskLanes';
import { taskText } from '../../lib/taskText';
import { Exact } from './Exact';
import { useWaking } from './tasks/waking';
import { sliceAt } from './selection';

interface SliceDetailsProps {
  readonly traceId: string;
  readonly originNs: string | null;
  readonly id: SliceId;
  readonly onFrame: (area: TimeWindow) => void;
  readonly onMark: (area: TimeWindow) => void;
  /** To the slice beside it in its lane. */
  readonly onStep: (direction: 'left' | 'right') => void;
  /** Tasks that have lanes already. */
  readonly shownTasks: readonly number[];
  readonly onTask: (pid: number) => void;
}

/** One slice to the nanosecond, whatever the zoom: asked for by itself, so that a permalink needs no lanes for it. */
export function SliceDetails(props: SliceDetailsProps) {
  const { traceId, originNs, id, shownTasks, onFrame, onMark, onStep, onTask } = props;
  // Columns of a nanosecond or so, so that single slices come back and no buckets.
  const ofTask = id.pid === undefined ? {} : { tasks: String(id.pid) };
  const answer = useQuery(timelineQuery(traceId, { start: id.t, end: id.t + 1, width: 1000, ...ofTask }));
  const waking = useWaking(traceId, id);
  if (answer.isError) return <ProblemNote problem={problemOf(answer.error)} />;
  if (answer.data === undefined || answer.isPlaceholderData) return <p className={styles.quiet}>Loading …</p>;
  const slice = sliceAt(answer.data.lanes, id);
  if (slice === undefined) return <p className={styles.quiet}>No slice starts there.</p>;
  const stretch = { start: id.t, end: id.t + (slice.lane.duration_ns[slice.index] ?? 0) };
  const pid = taskAt(answer.data, slice)?.pid ?? 0;
  return (
    <>
      <h3 className={styles.kind}>{kindOf(slice.lane, answer.data.kinds).title}</h3>
      <p className={styles.name}>{itemName(slice.lane, slice.index, answer.data)}</p>
      <SliceFacts slice={slice} answer={answer.data} originNs={originNs} waking={waking} />
      <p className={styles.ways}>
        <Button onClick={() => onFrame(stretch)}>Zoom to it</Button>
        <Button onClick={() => onMark(stretch)}>Mark A–B</Button>
        {pid !== 0 && !shownTasks.includes(pid) && (
          <Button label="Show a lane of what this task does" onClick={() => onTask(pid)}>
            Lane of the task
          </Button>
        )}
        <Button label="Previous slice in the lane (,)" onClick={() => onStep('left')}>
          ‹
        </Button>
        <Button label="Next slice in the lane (.)" onClick={() => onStep('right')}>
          ›
        </Button>
      </p>
    </>
  );
}

interface SliceFactsProps {
  readonly slice: NonNullable<ReturnType<typeof sliceAt>>;
  readonly answer: TimelineAnswer;
  readonly originNs: string | null;
  readonly waking: TraceEvent | undefined;
}

function SliceFacts({ slice: { lane, index }, answer, originNs, waking }: SliceFactsProps) {
  const start = ns(lane.t[index] ?? 0);
  const duration = ns(lane.duration_ns[index] ?? 0);
  const self = lane.self_ns?.[index];
  const task = isOfTasks(lane, answer) ? undefined : taskAt(answer, { lane, index });
  return (
    <dl className={styles.facts}>
      <dt>length</dt>
      <dd>
        <Duration value={duration} /> <Exact value={duration} />
      </dd>
      {self !== undefined && self !== null && self !== duration && (
        <>
          <dt title="Excluding what interrupted it">self</dt>
          <dd>
            <Duration value={ns(self)} /> <Exact value={self} />
          </dd>
        </>
      )}
      <dt>start</dt>
      <dd>{`${exactIn(start, 's')}\u202fs`}</dd>
      <dt>end</dt>
      <dd>{`${exactIn(ns(start + duration), 's')}\u202fs`}</dd>
      {originNs !== null && (
        <>
          <dt title="As printed in the file">stamp</dt>
          <dd>{stampText(originNs, start)}</dd>
        </>
      )}
      <dt>CPU</dt>
      <dd>{lane.cpu ?? lane.on_cpu?.[index] ?? '?'}</dd>
      {waking !== undefined && (
        <>
          <dt>woken by</dt>
          <dd>{wakerText(waking)}</dd>
        </>
      )}
      {task !== undefined && (
        <>
          <dt title={isOfOneTask(lane) ? 'Whose lane it is' : 'Task that was running'}>
            {isOfOneTask(lane) ? 'task' : 'in'}
          </dt>
          <dd className={styles.code}>{taskText(task)}</dd>
        </>
      )}
    </dl>
  );
}

/** `a softirq in ktimers/1-34 on CPU 1`: a handler wakes on behalf of nobody. */
function wakerText(waking: TraceEvent): string {
  const { cpu, flags } = waking;
  const soft = flags?.['softirq'] === true ? 'a softirq in ' : '';
  const context = flags?.['hardirq'] === true ? 'an interrupt in ' : soft;
  return `${context}${taskText(waking)}${cpu === null ? '' : ` on CPU ${cpu}`}`;
}

/** The task of a slice: whose lane it is on, or who ran there. */
function taskAt(answer: TimelineAnswer, { lane, index }: NonNullable<ReturnType<typeof sliceAt>>) {
  return isOfOneTask(lane) ? lane.task : answer.tasks[lane.task_idx?.[index] ?? -1];
}
