import type { CallsAnswer } from '../../api/calls';
import { overlaps, type TimeWindow } from '../../components/chart/timeWindow';
import { ChartTable, type ChartColumn } from '../../components/table/ChartTable';
import { columnSeconds, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import type { CallRow } from '../../components/flame/flameChart';

interface CallTableProps {
  readonly name: string;
  readonly rows: readonly CallRow[];
  readonly answer: CallsAnswer;
  readonly window: TimeWindow;
  readonly onClose: () => void;
}

/** What the flame chart shows, in order of time, callers before what they call. */
export function CallTable({ name, rows, answer, window, onClose }: CallTableProps) {
  const items = rows
    .flatMap((row) => visibleCalls(row, answer, window))
    .toSorted((a, b) => a.start - b.start || a.depth - b.depth);
  return <ChartTable title="Calls over time" name={name} columns={COLUMNS} rows={items} onClose={onClose} />;
}

interface CallTableItem {
  readonly place: string;
  readonly depth: number;
  readonly symbol: string;
  readonly start: number;
  readonly duration: number;
  readonly self: number | undefined;
  readonly count: number;
}

const COLUMNS: readonly ChartColumn<CallTableItem>[] = [
  { title: 'in', cell: (item) => item.place },
  { title: 'depth', isNumber: true, cell: (item) => item.depth },
  { title: 'function', isCode: true, cell: (item) => item.symbol },
  { title: 'start (s)', isNumber: true, cell: (item) => columnSeconds(ns(item.start)) },
  { title: 'total (ns)', isNumber: true, cell: (item) => item.duration },
  { title: 'self (ns)', isNumber: true, cell: (item) => item.self ?? '' },
  { title: 'calls', isNumber: true, cell: (item) => item.count },
];

function visibleCalls(
  { lane, group, depth }: CallRow,
  { symbols }: CallsAnswer,
  window: TimeWindow,
): readonly CallTableItem[] {
  if (lane === undefined) return [];
  const isSummed = lane.detail === 'buckets';
  return lane.t.flatMap((start, index) => {
    const length = lane.duration_ns[index] ?? 0;
    if (!overlaps(window, start, start + length)) return [];
    return [
      {
        place: group,
        depth,
        symbol: visibleText(symbols[lane.symbol_idx[index] ?? -1] ?? '?'),
        start,
        // Of a cell: what was busy in it, and of all functions together; the name is that of the longest call.
        duration: isSummed ? (lane.busy_ns?.[index] ?? 0) : length,
        self: isSummed ? undefined : (lane.self_ns?.[index] ?? length),
        count: isSummed ? (lane.count?.[index] ?? 0) : 1,
      },
    ];
  });
}
