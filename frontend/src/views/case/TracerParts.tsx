import type { CasePart } from '../../api/latencyTypes';
import { Panel } from '../../components/panel/Panel';
import { Duration } from '../../components/Quantity';
import { groupDigits, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './TracerParts.module.css';

interface TracerPartsProps {
  readonly parts: readonly CasePart[];
  /** Whether the numbers are another program's, and no tracer's. */
  readonly areMeasured: boolean;
}

/** The numbers that the tracer, or the program that measured, reported for this case. */
export function TracerParts({ parts, areMeasured }: TracerPartsProps) {
  return (
    <Panel title={areMeasured ? 'What the program reports' : 'What the tracer reports'} note="as recorded">
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
