import type { LatencyKind } from '../../../api/latencyTypes';
import { recordCommand } from '../../../lib/recording';
import { visibleText } from '../../../lib/visibleText';
import styles from './KindsWithout.module.css';
import { groupDigits } from '../../../lib/ns';

/** The kinds that this trace has nothing of, with the command that records each. */
export function KindsWithout({ kinds }: { readonly kinds: readonly LatencyKind[] }) {
  const without = kinds.filter(({ count }) => count === 0);
  if (without.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>
        No samples of {without.map(({ kind }) => visibleText(kind)).join(', ')}: what to record
      </summary>
      <table className={styles.table} aria-label="Kinds without samples">
        <tbody>
          {without.map((kind) => (
            <tr key={kind.kind}>
              <th scope="row" title={visibleText(kind.definition)}>
                {visibleText(kind.title)}
              </th>
              <td>
                <Needs missing={kind.missing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The command that records the first alternative, and what else would do. */
function Needs({ missing }: Pick<LatencyKind, 'missing'>) {
  const [first, ...others] = missing ?? [];
  if (first === undefined) return 'The events that it needs were recorded, but it did not happen.';
  return (
    <>
      <code>{recordCommand(first)}</code>
      {others.map((other) => ` or ${visibleText(other.join(', '))}`).join('')}
    </>
  );
}

/** Latencies that are no numbers because an end is missing or doubtful: counted by kind, with the reason. */
export function IncompleteNote({ kinds }: { readonly kinds: readonly LatencyKind[] }) {
  const rows = kinds.flatMap(({ kind, incomplete }) =>
    incomplete.filter(({ count }) => count > 0).map((one) => ({ kind, ...one })),
  );
  if (rows.length === 0) return null;
  const total = groupDigits(rows.reduce((sum, { count }) => sum + count, 0));
  // A summary prints its extremes, and how many values it has.
  const isListed = rows.some(({ reason }) => reason !== 'not_listed');
  const isNothingMeasured = kinds.every(({ count }) => count === 0);
  return (
    <details className={styles.more}>
      <summary>{`${total}${isNothingMeasured ? '' : ' more'} ${isListed ? 'could not be measured' : 'were counted, but not printed: percentiles are those of the printed values'}`}</summary>
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
