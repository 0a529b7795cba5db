import { memo } from 'react';
import { exactNs, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { exactDeltaUs, exactUs } from './deltaText';
import styles from './DiffTable.module.css';
import type { DiffRow } from './diffTree';
import { distanceOf, distanceText, foldedText, rowWords, shareText } from './rowWords';

interface DiffTableRowProps {
  readonly row: DiffRow;
  /** Absent where there is nothing below. */
  readonly openness: 'open' | 'closed' | undefined;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
  /** The row that Tab leads to. */
  readonly isCurrent: boolean;
  readonly hasSet: boolean;
  readonly onSelect: (row: number) => void;
  readonly onHover: (row: number | undefined) => void;
  readonly onToggle: (row: DiffRow) => void;
}

const INDENT_PX = 12;
/** Deeper rows are not moved further: their numbers would leave the screen. */
const MOST_INDENTS = 24;

/** One row of the merged tree. */
export const DiffTableRow = memo(function DiffTableRow(props: DiffTableRowProps) {
  const { row, openness, isSelected, hasSet } = props;
  const { a, b } = row;
  return (
    <tr
      data-row={row.id}
      data-status={row.status}
      data-hovered={props.isHovered}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      {...(openness !== undefined && { 'aria-expanded': openness === 'open' })}
      tabIndex={props.isCurrent ? 0 : -1}
      onClick={() => props.onSelect(row.id)}
      onPointerEnter={() => props.onHover(row.id)}
    >
      <th scope="row">
        <span
          className={styles.name}
          style={{ paddingLeft: Math.min(row.depth, MOST_INDENTS) * INDENT_PX }}
          title={visibleText(row.name)}
        >
          <Twist openness={openness} onToggle={() => props.onToggle(row)} />
          <Sign row={row} />
          <NameText row={row} />
        </span>
      </th>
      <Us value={a?.ns} />
      <Us value={b?.ns} />
      <DeltaUs value={row.deltaNs} />
      <DeltaUs value={row.selfDeltaNs} />
      {hasSet ? <SetCells row={row} /> : null}
    </tr>
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
        <span className={styles.quiet} title="What the normal side calls it">
          {` / ${visibleText(row.otherName)}`}
        </span>
      )}
      {folded !== '' && (
        <span className={styles.quiet} title="Calls that follow each other, folded into one row">
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

function Us({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return <td className={styles.none}>–</td>;
  return <td title={exactNs(ns(value))}>{exactUs(value)}</td>;
}

function DeltaUs({ value }: { readonly value: number }) {
  const look = value === 0 ? styles.none : value > 0 ? styles.slower : styles.faster;
  return (
    <td className={look} title={exactNs(ns(value))}>
      {exactDeltaUs(value)}
    </td>
  );
}

function SetCells({ row }: { readonly row: DiffRow }) {
  const { seen, median } = row;
  return (
    <>
      <td>{seen && shareText(seen.seenA, seen.ofA)}</td>
      <td>{seen && shareText(seen.seenB, seen.ofB)}</td>
      <td title={median && `spread (MAD) ${exactNs(ns(median.madNs))}`}>{median && exactUs(median.ns)}</td>
      <td>{distanceText(distanceOf(row))}</td>
    </>
  );
}
