import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { SqlAnswer } from '../../api/sql';
import { visibleText } from '../../lib/visibleText';
import styles from './Query.module.css';
import { cellOf, isNumber, sentenceColumns } from './resultCells';

const ROW_PX = 24;

/** The rows of an answer; only those in sight are on the page. */
export function ResultTable({ answer }: { readonly answer: SqlAnswer }) {
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- what it returns stays in this component
  const rows = useVirtualizer({
    count: answer.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const sentences = useMemo(() => sentenceColumns(answer), [answer]);
  const items = rows.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  const { columns } = answer;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys, too
    <div ref={scroller} className={styles.rows} tabIndex={0} role="region" aria-label="Rows">
      <table aria-label="Result" aria-rowcount={answer.rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns may share a name, and have no state
              <th key={at} scope="col" data-number={isNumber(column) || undefined} title={column.type}>
                {visibleText(column.name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 ? <Room height={above} /> : null}
          {items.map(({ index }) => {
            const row = answer.rows[index] ?? [];
            return (
              <tr key={index} ref={rows.measureElement} data-index={index} aria-rowindex={index + 2}>
                {columns.map((column, at) => (
                  <td
                    key={at} // oxlint-disable-line react/no-array-index-key -- as above
                    data-number={isNumber(column) || undefined}
                    data-sentence={sentences.has(at) || undefined}
                  >
                    {cellOf(row[at] ?? null, column, row, columns)}
                  </td>
                ))}
              </tr>
            );
          })}
          {below > 0 ? <Room height={below} /> : null}
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows that are out of sight. */
function Room({ height }: { readonly height: number }) {
  return <tr aria-hidden style={{ height }} />;
}
