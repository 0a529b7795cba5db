import { useState } from 'react';
import { groupDigits } from '../../lib/ns';
import { Button } from '../button/Button';
import styles from './SearchedTable.module.css';
import { Table, type Column } from './Table';

interface SearchedTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What is searched of a row. */
  readonly textOf: (row: Row) => string;
}

/** As many as one looks through; the others come when somebody asks for them. */
const MOST_SHOWN = 20;

/** A list of traces; of a long one those whose name or labels have all words that are typed. */
export function SearchedTable<Row>({ label, columns, rows, keyOf, textOf }: SearchedTableProps<Row>) {
  const [words, setWords] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const found = rows.filter((row) => hasWords(textOf(row), words));
  const shown = isWhole ? found : found.slice(0, MOST_SHOWN);
  const rest = found.length - shown.length;
  return (
    <>
      {rows.length > MOST_SHOWN && (
        <input
          type="search"
          className={styles.search}
          value={words}
          placeholder="name or label"
          aria-label="Search these traces"
          data-takes-focus
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      {found.length > 0 && <Table label={label} columns={columns} rows={shown} keyOf={keyOf} />}
      {found.length === 0 && <p className={styles.none}>None of these traces has such a name or label.</p>}
      {rest > 0 && (
        <p className={styles.more}>
          <Button look="bare" onClick={() => setIsWhole(true)}>{`Show ${groupDigits(rest)} more`}</Button>
        </p>
      )}
    </>
  );
}

function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
