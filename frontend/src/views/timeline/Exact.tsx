import { exactNs, ns } from '../../lib/ns';
import styles from './Details.module.css';

/** A duration to the nanosecond, in grey beside the spoken one. */
export function Exact({ value }: { readonly value: number }) {
  return <span className={styles.quiet}>{exactNs(ns(value))}</span>;
}
