import type { CasePart } from '../../api/latencyTypes';
import { Panel } from '../../components/panel/Panel';
import { Duration } from '../../components/Quantity';
import { groupDigits, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './TracerParts.module.css';

/** The numbers that the tracer itself reported for this case. */
export function TracerParts({ parts }: { readonly parts: readonly CasePart[] }) {
  return (
    <Panel title="What the tracer reports" note="as recorded">
      <dl className={styles.parts}>
        {parts.map((part) => (
          <div key={`${part.name} ${part.what ?? ''}`}>
            <dt>{visibleText(part.name)}</dt>
            <dd>
              <Value {...part} />
              {part.what === null ? null : <code className={styles.what}>{visibleText(part.what)}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Value({ value, unit }: CasePart) {
  if (typeof value === 'string') return visibleText(value);
  if (unit === 'ns' && Number.isSafeInteger(value)) return <Duration value={ns(value)} />;
  const number = Number.isSafeInteger(value) ? groupDigits(value) : value.toString();
  return unit === null ? number : `${number}\u202f${visibleText(unit)}`;
}
