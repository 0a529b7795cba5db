import type { LatencyKind } from '../../../api/latencyTypes';
import { recordCommand } from '../../../lib/recording';
import { visibleText } from '../../../lib/visibleText';
import styles from './KindsWithout.module.css';

/** The kinds that this trace has nothing of, with the command that records each. */
export function KindsWithout({ kinds }: { readonly kinds: readonly LatencyKind[] }) {
  const without = kinds.filter(({ count }) => count === 0);
  if (without.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>
        Nothing of {without.map(({ kind }) => visibleText(kind)).join(', ')}: what to record for them
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
  if (first === undefined) return 'All that it needs was recorded; it did not happen.';
  return (
    <>
      <code>{recordCommand(first)}</code>
      {others.map((other) => ` or ${visibleText(other.join(', '))}`).join('')}
    </>
  );
}
