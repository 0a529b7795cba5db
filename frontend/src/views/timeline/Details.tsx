import { useQuery } from '@tanstack/react-query';
import { timelineQuery, type TimelineAnswer } from '../../api/lanes';
import { problemOf } from '../../lib/problem';
import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Duration } from '../../components/Quantity';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { exactIn, exactNs, groupDigits, ns } from '../../lib/ns';
import { stampText } from '../../lib/stamp';
import type { SliceId } from '../../viewState/itemIds';
import { areaStats, type ShareOfTime } from './areaStats';
import styles from './Details.module.css';
import { itemName } from '../../components/lanes/laneModel';
import { sliceAt } from './selection';

const KIND_TITLES: Readonly<Record<string, string>> = {
  sched: 'Running task',
  irq: 'Interrupt',
  softirq: 'Softirq',
  idle: 'Idle state',
};

interface SliceDetailsProps {
  readonly traceId: string;
  readonly originNs: string | null;
  readonly id: SliceId;
  readonly onFrame: (area: TimeWindow) => void;
  readonly onMark: (area: TimeWindow) => void;
}

/** One slice to the nanosecond, whatever the zoom: asked for by itself, so that a permalink needs no lanes for it. */
export function SliceDetails({ traceId, originNs, id, onFrame, onMark }: SliceDetailsProps) {
  // Columns of a nanosecond or so, so that single slices come back and no buckets.
  const answer = useQuery(timelineQuery(traceId, { start: id.t, end: id.t + 1, width: 1000 }));
  if (answer.isError) return <ProblemNote problem={problemOf(answer.error)} />;
  if (answer.data === undefined || answer.isPlaceholderData) return <p className={styles.quiet}>Loading …</p>;
  const found = sliceAt(answer.data.lanes, id);
  if (found === undefined) return <p className={styles.quiet}>No slice of this trace starts there.</p>;
  const { lane, index } = found;
  const duration = ns(lane.duration_ns[index] ?? 0);
  const end = ns(id.t + duration);
  const self = lane.self_ns?.[index];
  const task = lane.kind === 'sched' ? undefined : taskOf(answer.data, lane.task_idx?.[index]);
  return (
    <>
      <h3 className={styles.kind}>{KIND_TITLES[lane.kind] ?? lane.kind}</h3>
      <p className={styles.name}>{itemName(lane, index, answer.data)}</p>
      <dl className={styles.facts}>
        <dt>length</dt>
        <dd>
          <Duration value={duration} /> <Exact value={duration} />
        </dd>
        {self !== undefined && self !== null && self !== duration && (
          <>
            <dt title="Without what interrupted it">self</dt>
            <dd>
              <Duration value={ns(self)} /> <Exact value={self} />
            </dd>
          </>
        )}
        <dt>start</dt>
        <dd>{`${exactIn(id.t, 's')}\u202fs`}</dd>
        <dt>end</dt>
        <dd>{`${exactIn(end, 's')}\u202fs`}</dd>
        {originNs !== null && (
          <>
            <dt title="As printed in the file">stamp</dt>
            <dd>{stampText(originNs, id.t)}</dd>
          </>
        )}
        <dt>CPU</dt>
        <dd>{lane.cpu}</dd>
        {task !== undefined && (
          <>
            <dt title="What ran on the CPU then">in</dt>
            <dd className={styles.code}>{task}</dd>
          </>
        )}
      </dl>
      <p className={styles.ways}>
        <Button onClick={() => onFrame({ start: id.t, end })}>Zoom to it</Button>
        <Button onClick={() => onMark({ start: id.t, end })}>Mark A–B</Button>
      </p>
    </>
  );
}

function taskOf(answer: TimelineAnswer, index: number | null | undefined): string | undefined {
  const task = answer.tasks[index ?? -1];
  return task && `${task.comm}-${task.pid ?? '?'}`;
}

const Exact = ({ value }: { readonly value: number }) => (
  <span className={styles.quiet}>{exactNs(ns(value))}</span>
);

interface AreaDetailsProps {
  readonly traceId: string;
  readonly area: TimeWindow;
  readonly onFrame: (area: TimeWindow) => void;
}

const AREA_COLUMNS = 2000;
const MOST_SHARES = 200;

/** Length of the selected stretch, and what every task, interrupt, softirq and idle state took of it. */
export function AreaDetails({ traceId, area, onFrame }: AreaDetailsProps) {
  const answer = useQuery(timelineQuery(traceId, { start: area.start, end: area.end, width: AREA_COLUMNS }));
  const length = ns(area.end - area.start);
  const stats = answer.data && !answer.isPlaceholderData ? areaStats(answer.data, area) : undefined;
  return (
    <>
      <h3 className={styles.kind}>Selected stretch</h3>
      <p className={styles.name} data-testid="area-length">
        <Duration value={length} /> <Exact value={length} />
      </p>
      <p className={styles.quiet}>
        {`${exactIn(ns(area.start), 's')} to ${exactIn(ns(area.end), 's')}\u202fs`}
      </p>
      <p className={styles.ways}>
        <Button onClick={() => onFrame(area)}>Zoom to it</Button>
      </p>
      {answer.isError && <ProblemNote problem={problemOf(answer.error)} />}
      {stats === undefined ? (
        <p className={styles.quiet}>Loading …</p>
      ) : (
        <>
          {!stats.isExact && (
            <p className={styles.quiet}>
              Too much happened here for single slices: sums are of cells, each named after what took most of
              it.
            </p>
          )}
          <Shares shares={stats.shares.slice(0, MOST_SHARES)} />
          {stats.shares.length > MOST_SHARES && (
            <p
              className={styles.quiet}
            >{`and ${groupDigits(stats.shares.length - MOST_SHARES)} smaller ones`}</p>
          )}
        </>
      )}
    </>
  );
}

function Shares({ shares }: { readonly shares: readonly ShareOfTime[] }) {
  if (shares.length === 0) return <p className={styles.quiet}>Nothing ran here that the trace knows of.</p>;
  return (
    <table className={styles.shares}>
      <thead>
        <tr>
          <th scope="col">CPU</th>
          <th scope="col">what</th>
          <th scope="col">count</th>
          <th scope="col">total</th>
          <th scope="col">longest</th>
          <th scope="col">share</th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={`${share.cpu} ${share.kind} ${share.name}`}>
            <td>{share.cpu}</td>
            <td className={styles.code} title={`${KIND_TITLES[share.kind] ?? share.kind}: ${share.name}`}>
              <span className={styles.swatch} data-kind={share.kind} />
              {share.name}
            </td>
            <td>{groupDigits(share.count)}</td>
            <td>
              <Duration value={ns(Math.round(share.total_ns))} />
            </td>
            <td>
              <Duration value={ns(share.max_ns)} />
            </td>
            <td
              className={styles.share}
              style={{ backgroundSize: `${Math.min(100, share.share * 100)}% 100%` }}
            >{`${(share.share * 100).toFixed(1)}\u202f%`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
