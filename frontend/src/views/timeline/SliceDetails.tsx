import type { TraceEvent } from '../../api/events';
import { problemOf } from '../../lib/problem';
import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useShare } from '../../components/share/useShare';
import type { SliceId } from '../../viewState/itemIds';
import styles from './Details.module.css';
import { itemName } from '../../components/lanes/laneModel';
import { kindOf } from '../../components/lanes/laneAnswer';
import { SliceFacts } from './slice/SliceFacts';
import { useSlice, useSliceEnds } from './slice/useSlice';
import { Wakees } from './slice/Wakees';

interface SliceDetailsProps {
  readonly traceId: string;
  readonly originNs: string | null;
  readonly id: SliceId;
  readonly onFrame: (area: TimeWindow) => void;
  readonly onMark: (area: TimeWindow) => void;
  readonly onEvent: (event: TraceEvent) => void;
  /** To the slice beside it in its lane. */
  readonly onStep: (direction: 'left' | 'right') => void;
  /** Tasks that have lanes already. */
  readonly shownTasks: readonly number[];
  readonly onTask: (pid: number) => void;
}

/** One slice to the nanosecond, with the events around it. */
export function SliceDetails(props: SliceDetailsProps) {
  const { traceId, originNs, id, shownTasks, onFrame, onMark, onEvent, onStep, onTask } = props;
  const { slice, error, isLoaded } = useSlice(traceId, id);
  const ends = useSliceEnds(traceId, slice?.span);
  const { share, sheet } = useShare();
  if (error !== null) return <ProblemNote problem={problemOf(error)} />;
  if (!isLoaded) return <p className={styles.quiet}>Loading …</p>;
  if (slice === undefined) return <p className={styles.quiet}>No slice starts there.</p>;
  const { lane, index, answer, span } = slice;
  const pid = span.pid ?? 0;
  return (
    <>
      <h3 className={styles.kind}>{kindOf(lane, answer.kinds).title}</h3>
      <p className={styles.name}>{itemName(lane, index, answer)}</p>
      <SliceFacts {...{ traceId, originNs, slice, ends, onEvent, onTask }} />
      <p className={styles.ways}>
        <Button onClick={() => onFrame(span)}>Zoom to it</Button>
        <Button onClick={() => onMark(span)}>Mark A–B</Button>
        {pid !== 0 && !shownTasks.includes(pid) && (
          <Button label="Lane of the task: what it does" onClick={() => onTask(pid)}>
            Lane of the task
          </Button>
        )}
        <Button label="Copy link to this slice (Y)" onClick={share}>
          Copy link
        </Button>
        <span className={styles.steps}>
          <Button label="Previous slice in the lane (,)" onClick={() => onStep('left')}>
            ‹
          </Button>
          <Button label="Next slice in the lane (.)" onClick={() => onStep('right')}>
            ›
          </Button>
        </span>
      </p>
      <Wakees {...{ traceId, slice, onEvent, onTask }} />
      {sheet}
    </>
  );
}
