import { useClock } from './clock/useClock';
import { formatBytes } from '../lib/bytes';
import type { Measure } from '../lib/measure';
import { countText, durationText, exactNs, formatDuration, groupDigits, type Ns, ns } from '../lib/ns';
import styles from './Quantity.module.css';

/** A duration in the unit people say, the unit in grey; every nanosecond on hover. Steps of a clock that counts have no unit. */
export function Duration({ value }: { readonly value: Ns }) {
  const clock = useClock();
  if (clock.isCounting) {
    return (
      <span className={styles.quantity} title={clock.exact(value)}>
        {groupDigits(value)}
      </span>
    );
  }
  const spoken = formatDuration(value);
  return (
    <span className={styles.quantity} title={exactNs(value)} aria-label={durationText(value)}>
      {spoken.value}
      <Unit unit={spoken.unit} />
    </span>
  );
}

/** What a sample measured: a length of time, or a bare number of an event. */
export function Measured({ value, measure }: { readonly value: number; readonly measure: Measure }) {
  return measure.isTime ? <Duration value={ns(value)} /> : <Count value={value} />;
}

/** A size in binary units; every byte on hover. */
export function Bytes({ value }: { readonly value: number }) {
  const spoken = formatBytes(value);
  return (
    <span className={styles.quantity} title={countText(value, 'byte')}>
      {spoken.value}
      <Unit unit={spoken.unit} />
    </span>
  );
}

/** A count with its thousands set apart; nothing where there is none to tell. */
export function Count({ value }: { readonly value: number | null }) {
  return value === null ? null : <span className={styles.quantity}>{groupDigits(value)}</span>;
}

function Unit({ unit }: { readonly unit: string }) {
  return <span className={styles.unit}>{`\u202f${unit}`}</span>;
}
