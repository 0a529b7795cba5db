import { useClock } from './clock/useClock';
import { ns } from '../lib/ns';
import styles from './Quantity.module.css';

/**
 * A duration to the nanosecond, in grey beside the spoken one, and nothing where that is the same; beside a count of steps,
 * what it counts.
 */
export function Exact({ value }: { readonly value: number }) {
  const clock = useClock();
  const exact = clock.exact(ns(value));
  const isSaid = !clock.isCounting && clock.duration(ns(value)) === exact;
  return isSaid ? null : <span className={styles.exact}>{clock.isCounting ? 'clock ticks' : exact}</span>;
}
