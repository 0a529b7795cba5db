import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import styles from './Table.module.css';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** The title is only for those who hear the table: its cells speak for themselves. */
  readonly isTitleUnseen?: boolean;
  /** Shown in the head instead of the title, such as a box that selects all rows. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Whether a row has anything to say here: a column in which none has is left out. */
  readonly has?: (row: Row) => boolean;
  /** Numbers are aligned right, in tabular figures. */
  readonly isNumber?: boolean;
  /** Takes the room that the other columns leave, and cuts what does not fit. */
  readonly isWide?: boolean;
  /** Takes all the room there is, so that the other columns are as narrow as what is in them. */
  readonly isWidest?: boolean;
  /** As wide as its longest name, which is cut beyond what a reader takes in. */
  readonly isName?: boolean;
  /** Takes all the room there is, and up to three lines of it; a narrow table shows every word. */
  readonly isSentence?: boolean;
  /** 0 to 1: how much of the cell a thin bar behind the number fills. */
  readonly share?: (row: Row) => number;
  /** Whose colour the bar behind the number has, where it says more than how much: the side that takes longer. */
  readonly shareSide?: (row: Row) => 'abnormal' | 'normal';
  /** 0 to 1: the length of a bar that has the cell to itself. */
  readonly bar?: (row: Row) => number;
  /** What the sort is called; `preferred` is the direction of the first click. */
  readonly sort?: { readonly name: string; readonly preferred: 'ascending' | 'descending' };
  /** Narrow screens leave out 4 first, then 3, then 2; those of phones 1, too. */
  readonly rank?: 1 | 2 | 3 | 4;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The sort in force, `-name` for descending. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** How many grey rows stand in until the first rows arrive. */
  readonly skeleton?: number;
  /** Whether a row is chosen; absent where rows cannot be chosen. */
  readonly isChosen?: (row: Row) => boolean;
}

/**
 * Rows of 24 px under a header that stays. The first link of a row is what the row opens: a click anywhere in the row
 * follows it, and the arrow keys, Home and End go from one to the next.
 */
export function Table<Row>({
  label,
  columns: all,
  rows,
  keyOf,
  sort,
  onSort,
  skeleton = 0,
  isChosen,
}: TableProps<Row>) {
  const columns = all.filter(({ has }) => has === undefined || rows.length === 0 || rows.some(has));
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label} aria-busy={skeleton > 0}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows' links do the same; this only widens their reach */}
        <tbody onKeyDown={moveBetweenRows} onClick={openRow}>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row={keyOf(row)} data-chosen={isChosen?.(row)}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={cellClass(column)}
                  data-rank={column.rank}
                  data-column={column.id}
                  data-shares={column.share !== undefined}
                  data-sentence={column.isSentence}
                >
                  {column.share ? (
                    <ShareBar ratio={column.share(row)} side={column.shareSide?.(row)} />
                  ) : null}
                  {column.bar ? <OwnBar ratio={column.bar(row)} /> : null}
                  {column.isSentence === true || column.isName === true ? (
                    <span>{column.cell(row)}</span>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
          {Array.from({ length: skeleton }, (_, at) => (
            <tr key={`skeleton-${at}`} className={styles.skeleton} aria-hidden>
              {columns.map((column) => (
                // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a grey line is no control
                <td key={column.id} data-rank={column.rank}>
                  <span />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const className = cellClass(column);
  if (!column.sort || !onSort) {
    return (
      <th scope="col" className={className} data-rank={column.rank} data-column={column.id}>
        {column.head ??
          (column.isTitleUnseen === true ? <span className="unseen">{column.title}</span> : column.title)}
      </th>
    );
  }
  const { name, preferred } = column.sort;
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const next = direction === undefined ? preferred : direction === 'ascending' ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      className={className}
      data-rank={column.rank}
      data-column={column.id}
      aria-sort={direction ?? 'none'}
    >
      <button type="button" onClick={() => onSort(next === 'ascending' ? name : `-${name}`)}>
        {column.title}
        <span aria-hidden className={styles.arrow}>
          {direction === 'ascending' ? '▴' : direction === 'descending' ? '▾' : ''}
        </span>
      </button>
    </th>
  );
}

function cellClass<Row>({ isNumber, isWide, isWidest, isName, isSentence }: Column<Row>): string | undefined {
  if (isName === true) return styles.name;
  if (isSentence === true) return styles.sentence;
  if (isWidest === true) return `${styles.wide} ${styles.widest}`;
  if (isWide === true) return styles.wide;
  return isNumber === true ? styles.number : undefined;
}

interface ShareBarProps {
  readonly ratio: number;
  readonly side: 'abnormal' | 'normal' | undefined;
}

function ShareBar({ ratio, side }: ShareBarProps) {
  const share = Math.min(1, Math.max(0, ratio));
  return (
    <span aria-hidden className={styles.share} data-side={side}>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function OwnBar({ ratio }: { readonly ratio: number }) {
  return (
    <span aria-hidden className={styles.bar}>
      <span style={{ width: `${Math.min(1, Math.max(0, ratio)) * 100}%` }} />
    </span>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const links = [...event.currentTarget.rows].flatMap((row) => row.querySelector('a') ?? []);
  const at = links.findIndex((link) => link.closest('tr')?.contains(event.target as Node)); // a keyboard event's target is an element
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  if (target === undefined || at === -1) return;
  event.preventDefault();
  links[Math.min(links.length - 1, Math.max(0, target))]?.focus();
}

function openRow(event: MouseEvent<HTMLTableSectionElement>): void {
  const target = event.target as Element; // a click's target is an element
  // Links, buttons and text that somebody has just selected keep their own meaning.
  if (target.closest('a, button, input, label') || window.getSelection()?.isCollapsed === false) return;
  target.closest('tr')?.querySelector('a')?.click();
}
