import { useQuery } from '@tanstack/react-query';
import { catalogQuery } from '../../../api/catalog';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { kindOf } from '../../../components/lanes/laneAnswer';
import { itemColour, type LaneLook } from '../../../components/lanes/timelineScene';
import { Duration } from '../../../components/Quantity';
import { SymbolName } from '../../../components/SymbolName';
import { Table, type Column } from '../../../components/table/Table';
import { useTheme } from '../../../components/theme/theme';
import { groupDigits, ns } from '../../../lib/ns';
import { percentText } from '../../../lib/percent';
import { AREA_SORTS, type AreaSort } from '../../../viewState/timeline';
import styles from '../Details.module.css';
import type { AreaRow } from './areaTotals';

interface AreaTableProps {
  readonly rows: readonly AreaRow[];
  /** What the shares are of. */
  readonly available: number;
  readonly sort: AreaSort;
  readonly onSort: (sort: AreaSort) => void;
  readonly onFrame: (area: TimeWindow) => void;
}

type Kinds = Parameters<typeof kindOf>[1];
const NO_KINDS: Kinds = [];

/** What took the time of the stretch; the longest of each is a way to it. */
export function AreaTable({ rows, available, sort, onSort, onFrame }: AreaTableProps) {
  const look = useTheme();
  const kinds = useQuery(catalogQuery).data?.slice_kinds ?? NO_KINDS;
  return (
    <Table
      label="Time of the selected range"
      columns={columns(available, kinds, look, onFrame)}
      rows={rows}
      keyOf={(row) => row.key}
      sort={sort}
      onSort={(wanted) => {
        const known = AREA_SORTS.find((candidate) => candidate === wanted);
        if (known) onSort(known);
      }}
    />
  );
}

function columns(
  available: number,
  kinds: Kinds,
  look: LaneLook,
  onFrame: (area: TimeWindow) => void,
): readonly Column<AreaRow>[] {
  return [
    {
      id: 'cpu',
      title: 'CPU',
      isNumber: true,
      has: ({ cpu }) => cpu !== undefined,
      cell: ({ cpu }) => cpu,
    },
    {
      id: 'name',
      title: 'what',
      isWide: true,
      sort: { name: 'name', preferred: 'ascending' },
      cell: (row) => (
        <span className={styles.named} title={`${kindOf(row, kinds).title}: ${row.name}`}>
          <span className={styles.swatch} style={{ background: rowColour(row, kinds, look) }} />
          <span>
            <SymbolName name={row.name} />
          </span>
        </span>
      ),
    },
    {
      id: 'count',
      title: 'count',
      isNumber: true,
      sort: { name: 'count', preferred: 'descending' },
      cell: ({ count }) => groupDigits(count),
    },
    {
      id: 'total',
      title: 'total',
      isNumber: true,
      sort: { name: 'total', preferred: 'descending' },
      cell: ({ total_ns }) => <Duration value={ns(total_ns)} />,
    },
    {
      id: 'longest',
      // Of slices that reach over the edge of the range, the total has the part inside.
      title: 'longest, whole',
      isNumber: true,
      sort: { name: 'longest', preferred: 'descending' },
      cell: ({ max_ns, max_start }) => (
        <button
          type="button"
          className={styles.number}
          title="Zoom to the longest, also where it reaches beyond the range"
          onClick={() => onFrame({ start: max_start, end: max_start + Math.max(1, max_ns) })}
        >
          <Duration value={ns(max_ns)} />
        </button>
      ),
    },
    {
      id: 'share',
      title: 'share',
      isNumber: true,
      share: ({ total_ns }) => total_ns / available,
      cell: ({ total_ns }) => percentText(total_ns, available),
    },
  ];
}

/** The colour that its slices have on their lane. */
function rowColour({ kind, task, symbol }: AreaRow, kinds: Kinds, look: LaneLook): string {
  const lane = {
    id: '',
    cpu: null,
    kind,
    depth: 0,
    detail: 'slices',
    t: [0],
    duration_ns: [0],
    task_idx: [0],
    symbol_idx: [0],
  };
  return itemColour(lane, 0, { kinds, tasks: task ? [task] : [], symbols: [symbol ?? ''] }, look);
}
