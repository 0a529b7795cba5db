import { type CSSProperties, useMemo } from 'react';
import type { Sides } from '../../api/diff';
import { useClock } from '../../components/clock/useClock';
import { columnTracks, type DiffColumn, diffColumns } from './diffColumns';
import styles from './DiffTable.module.css';
import { DiffTableRow } from './DiffTableRow';
import type { DiffRow } from './diffTree';
import { type TreeView, useTreeRows } from './useTreeRows';

interface DiffTableProps {
  /** All rows, open or not: the columns are as wide as their widest number. */
  readonly rows: readonly DiffRow[];
  readonly view: TreeView;
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** Which sides are several instances. */
  readonly isSet: Sides<boolean>;
  readonly kind: 'calls' | 'events';
  readonly onSelect: (row: number) => void;
  readonly onHover: (row: number | undefined) => void;
  readonly onToggle: (row: DiffRow) => void;
}

/** The merged tree with its numbers; the arrow keys walk through it, open and close rows, and choose. */
export function DiffTable(props: DiffTableProps) {
  const { rows, view, selected, hovered, isSet, kind } = props;
  const { abnormal, normal } = isSet;
  const clock = useClock();
  const columns = useMemo(
    () => diffColumns({ abnormal, normal }, rows, clock),
    [abnormal, normal, rows, clock],
  );
  const tracks = useMemo(() => tracksOf(columns, rows), [columns, rows]);
  const { scroller, items, height, current, onKeyDown } = useTreeRows(props);
  return (
    <div
      ref={scroller}
      className={styles.tree}
      style={tracks}
      role="treegrid"
      tabIndex={-1}
      aria-label={kind === 'calls' ? 'Calls of both sides' : 'Events of both sides'}
      aria-rowcount={view.shown.length + 1}
      onKeyDown={onKeyDown}
      onPointerLeave={() => props.onHover(undefined)}
    >
      <Heads columns={columns} first={kind === 'calls' ? 'function' : 'event'} />
      <div role="rowgroup" className={styles.body} style={{ height: height }}>
        {items.map(({ row, index, top }) => (
          <DiffTableRow
            key={row.id}
            row={row}
            index={index}
            top={top}
            columns={columns}
            openness={view.openness(row)}
            isSelected={row.id === selected}
            isHovered={row.id === hovered}
            isCurrent={row.id === current}
            onSelect={props.onSelect}
            onHover={props.onHover}
            onToggle={props.onToggle}
          />
        ))}
      </div>
    </div>
  );
}

/** Grid tracks with all columns, and for narrower tables without those that they leave out. */
function tracksOf(columns: readonly DiffColumn[], rows: readonly DiffRow[]): CSSProperties {
  const tracks = {
    '--tracks': columnTracks(columns, rows),
    '--tracks-1000': columnTracks(without(columns, 1000), rows),
    '--tracks-800': columnTracks(without(columns, 800), rows),
  };
  return tracks as CSSProperties; // React's types know no variables
}

const without = (columns: readonly DiffColumn[], widthPx: number) =>
  columns.filter(({ spareBelow = 0 }) => spareBelow < widthPx);

interface HeadsProps {
  readonly columns: readonly DiffColumn[];
  readonly first: string;
}

function Heads({ columns, first }: HeadsProps) {
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        <span role="columnheader">{first}</span>
        {columns.map(({ title, hint, spareBelow }) => (
          <span key={title} role="columnheader" title={hint} data-spare={spareBelow}>
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}
