import { memo } from 'react';
import { visibleText } from '../../lib/visibleText';
import { lookOf, type DiffColumn } from './diffColumns';
import styles from './DiffTable.module.css';
import type { DiffRow } from './diffTree';
import { foldedText, rowWords } from './rowText';

interface DiffTableRowProps {
  readonly row: DiffRow;
  /** Among the rows that are shown. */
  readonly index: number;
  readonly top: number;
  readonly columns: readonly DiffColumn[];
  /** Absent where there is nothing below. */
  readonly openness: 'open' | 'closed' | undefined;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
  /** The row that Tab leads to. */
  readonly isCurrent: boolean;
  readonly onSelect: (row: number) => void;
  readonly onHover: (row: number | undefined) => void;
  readonly onToggle: (row: DiffRow) => void;
}

const INDENT_PX = 12;
/** Deeper rows are not moved further: their numbers would leave the screen. */
const MOST_INDENTS = 24;

/** One row of the merged tree. */
export const DiffTableRow = memo(function DiffTableRow(props: DiffTableRowProps) {
  const { row, index, openness } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys of the tree arrive at the tree
    <div
      role="row"
      className={styles.row}
      style={{ transform: `translateY(${props.top}px)` }}
      data-row={row.id}
      data-status={row.status}
      data-hovered={props.isHovered}
      aria-rowindex={index + 2}
      aria-level={row.depth + 1}
      aria-selected={props.isSelected}
      {...(openness !== undefined && { 'aria-expanded': openness === 'open' })}
      tabIndex={props.isCurrent ? 0 : -1}
      onClick={() => props.onSelect(row.id)}
      onPointerOver={() => props.onHover(row.id)}
    >
      <span
        role="rowheader"
        className={styles.name}
        style={{ paddingLeft: 12 + Math.min(row.depth, MOST_INDENTS) * INDENT_PX }}
        title={visibleText(row.name)}
      >
        <Twist openness={openness} onToggle={() => props.onToggle(row)} />
        <Sign row={row} />
        <NameText row={row} />
      </span>
      {props.columns.map((column) => (
        <span
          key={column.title}
          role="gridcell"
          data-look={lookOf(column, row)}
          data-spare={column.spareBelow}
          title={column.exact?.(row)}
        >
          {column.text(row)}
        </span>
      ))}
    </div>
  );
});

function Twist({
  openness,
  onToggle,
}: {
  readonly openness: DiffTableRowProps['openness'];
  readonly onToggle: () => void;
}) {
  if (openness === undefined) return <span className={styles.twist} />;
  return (
    <button
      type="button"
      className={styles.twist}
      tabIndex={-1}
      aria-label={openness === 'open' ? 'Close' : 'Open'}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      {openness === 'open' ? '▾' : '▸'}
    </button>
  );
}

const SIGNS = { matched: '', added: '+', removed: '−', elided: '…' } as const;

function Sign({ row }: { readonly row: DiffRow }) {
  return (
    <span className={styles.sign} title={rowWords(row)}>
      {SIGNS[row.status]}
    </span>
  );
}

function NameText({ row }: { readonly row: DiffRow }) {
  const folded = foldedText(row);
  return (
    <>
      <code>{visibleText(row.name)}</code>
      {row.otherName !== undefined && (
        <span className={styles.quiet} title="Its name on the normal side">
          {` / ${visibleText(row.otherName)}`}
        </span>
      )}
      {folded !== '' && (
        <span className={styles.quiet} title="Adjacent equal calls, folded into one row">
          {` ${folded}`}
        </span>
      )}
      {row.kind === 'interrupt' && row.isInInterrupt && <span className={styles.mark}>interrupt</span>}
      {row.isAmbiguous && (
        <span className={styles.mark} title={rowWords(row)}>
          ambiguous
        </span>
      )}
    </>
  );
}
