import type { TimelineAnswer } from '../../api/lanes';
import { overlaps, type TimeWindow } from '../../components/chart/timeWindow';
import { Dialog } from '../../components/dialog/Dialog';
import { exactIn, groupDigits, ns } from '../../lib/ns';
import { laneName } from './HoverStrip';
import styles from './LaneTable.module.css';
import { itemName, type PlannedLane } from '../../components/lanes/laneModel';

interface LaneTableProps {
  readonly lanes: readonly PlannedLane[];
  readonly answer: TimelineAnswer;
  readonly window: TimeWindow;
  readonly onClose: () => void;
}

const MOST_ROWS = 500;

/** What the lanes show, for those who cannot see or point at them, or want to copy it. */
export function LaneTable({ lanes, answer, window, onClose }: LaneTableProps) {
  const rows = lanes
    .flatMap((planned) => visibleItems(planned, answer, window))
    .toSorted((a, b) => a.start - b.start);
  return (
    <Dialog title="What the lanes show" onClose={onClose}>
      <p className={styles.count}>
        {`${groupDigits(rows.length)} items in sight`}
        {rows.length > MOST_ROWS && `, the first ${MOST_ROWS} of them here; zoom in for the others`}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">lane</th>
            <th scope="col">what</th>
            <th scope="col">start, s</th>
            <th scope="col">length, ns</th>
            <th scope="col">slices</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={`${row.lane} ${row.start}`}>
              <td>{row.lane}</td>
              <td>{row.name}</td>
              <td>{exactIn(ns(row.start), 's')}</td>
              <td>{groupDigits(row.duration)}</td>
              <td>{groupDigits(row.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

interface TableItem {
  readonly lane: string;
  readonly name: string;
  readonly start: number;
  readonly duration: number;
  readonly count: number;
}

function visibleItems(
  planned: PlannedLane,
  answer: TimelineAnswer,
  window: TimeWindow,
): readonly TableItem[] {
  const { lane } = planned;
  if (lane === undefined) return [];
  return lane.t.flatMap((start, index) => {
    const duration = lane.duration_ns[index] ?? 0;
    if (!overlaps(window, start, start + duration)) return [];
    const count = lane.detail === 'buckets' ? (lane.count?.[index] ?? 0) : 1;
    return [{ lane: laneName(planned), name: itemName(lane, index, answer), start, duration, count }];
  });
}
