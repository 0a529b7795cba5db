import { csvText, saveBlob } from '../../lib/download';
import { countText, groupDigits, readable } from '../../lib/ns';
import { Button } from '../button/Button';
import { Dialog } from '../dialog/Dialog';
import styles from './ChartTable.module.css';

export interface ChartColumn<Row> {
  /** With the unit of the values under it. */
  readonly title: string;
  readonly isNumber?: boolean;
  readonly isCode?: boolean;
  /** Numbers as plain digits: they are grouped on the page, and not in the file. */
  readonly cell: (row: Row) => string | number;
}

interface ChartTableProps<Row> {
  readonly title: string;
  /** Name of the saved file, without its ending. */
  readonly name: string;
  readonly columns: readonly ChartColumn<Row>[];
  readonly rows: readonly Row[];
  readonly onClose: () => void;
}

const MOST_ROWS = 500;

/** The numbers behind a chart, for those who cannot see or point at it, or want to use them elsewhere. */
export function ChartTable<Row>({ title, name, columns, rows, onClose }: ChartTableProps<Row>) {
  const save = () => {
    const lines = rows.map((row) => columns.map((column) => column.cell(row).toString()));
    const text = csvText([columns.map((column) => column.title), ...lines]);
    saveBlob(new Blob([text], { type: 'text/csv' }), `${name}.csv`);
  };
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <p className={styles.count}>
        {countText(rows.length, 'row')}
        {rows.length > MOST_ROWS && `, the first ${MOST_ROWS} shown`}
        <Button onClick={save}>Save all as CSV</Button>
      </p>
      <div
        className={styles.frame}
        role="group"
        aria-label={`${title}, rows`}
        tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- scrolls, also by keys
      >
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" data-number={column.isNumber}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows are made anew with every window, and have no state
              <tr key={at}>
                {columns.map((column) => (
                  <td key={column.title} data-number={column.isNumber} data-code={column.isCode}>
                    {shown(column, row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}

/** As it is read: a number with a minus in place of the hyphen that the file has. */
function shown<Row>({ isNumber, cell }: ChartColumn<Row>, row: Row): string {
  const value = cell(row);
  if (typeof value === 'number') return groupDigits(value);
  return isNumber ? readable(value) : value;
}
