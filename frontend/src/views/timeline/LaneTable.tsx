import { overlaps, type TimeWindow } from '../../components/chart/timeWindow';
import { useClock } from '../../components/clock/useClock';
import type { TimelineAnswer } from '../../components/lanes/laneAnswer';
import { itemName, type PlannedLane } from '../../components/lanes/laneModel';
import { ChartTable, type ChartColumn } from '../../components/table/ChartTable';
import { columnSeconds, ns } from '../../lib/ns';
import { laneName } from './HoverStrip';

interface LaneTableProps {
  readonly name: string;
  readonly lanes: readonly PlannedLane[];
  readonly answer: TimelineAnswer;
  readonly window: TimeWindow;
  readonly onClose: () => void;
}

/** Slices, in order of time. */
export function LaneTable({ name, lanes, answer, window, onClose }: LaneTableProps) {
  const clock = useClock();
  const rows = lanes
    .flatMap((planned) => visibleItems(planned, answer, window))
    .toSorted((a, b) => a.start - b.start);
  return (
    <ChartTable
      title="Slices"
      name={name}
      columns={clock.isCounting ? STEP_COLUMNS : COLUMNS}
      rows={rows}
      onClose={onClose}
    />
  );
}

interface TableItem {
  readonly lane: string;
  readonly name: string;
  readonly start: number;
  readonly duration: number;
  readonly count: number;
}

type Column = ChartColumn<TableItem>;

const NAMES: readonly Column[] = [
  { title: 'lane', cell: (item) => item.lane },
  { title: 'what', isCode: true, cell: (item) => item.name },
];
const COUNT: Column = { title: 'slices', isNumber: true, cell: (item) => item.count };
const DURATION = { isNumber: true, cell: (item: TableItem) => item.duration };

const COLUMNS: readonly Column[] = [
  ...NAMES,
  { title: 'start (s)', isNumber: true, cell: (item) => columnSeconds(ns(item.start)) },
  { title: 'duration (ns)', ...DURATION },
  COUNT,
];

/** Of a clock that counts: neither is a length of time. */
const STEP_COLUMNS: readonly Column[] = [
  ...NAMES,
  { title: 'start', isNumber: true, cell: (item) => item.start },
  { title: 'duration (clock ticks)', ...DURATION },
  COUNT,
];

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
