import type { LatencyKind } from '../../../api/latencyTypes';
import { groupDigits } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import styles from './KindsWithout.module.css';

/** Latencies that are no numbers because an end is missing or doubtful: counted by kind, with the reason. */
export function IncompleteNote({ kinds }: { readonly kinds: readonly LatencyKind[] }) {
  const rows = kinds.flatMap(({ kind, incomplete }) =>
    incomplete.filter(({ count }) => count > 0).map((one) => ({ kind, ...one })),
  );
  if (rows.length === 0) return null;
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <details className={styles.more}>
      <summary>{`${groupDigits(total)} more could not be measured`}</summary>
      <table className={styles.table} aria-label="Latencies that could not be measured">
        <tbody>
          {rows.map(({ kind, reason, count, sentence }) => (
            <tr key={`${kind} ${reason}`}>
              <th scope="row">{visibleText(kind)}</th>
              <td className={styles.number}>{groupDigits(count)}</td>
              <td>{visibleText(sentence)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
