import type { Interference } from '../../../api/latencyTypes';
import { durationText, groupDigits, ns } from '../../../lib/ns';
import { percentText } from '../../../lib/percent';
import { hertzText } from './interference';
import styles from './InterferencePanel.module.css';

/** How often the tick came on each CPU, and what it cost. */
export function TickTable({ ticks }: Pick<Interference, 'ticks'>) {
  const seen = ticks.filter(({ count }) => count > 0);
  if (seen.length === 0) return null;
  return (
    <ul className={styles.ticks} aria-label="Timer ticks">
      {seen.map(({ cpu, count, mean_ns, max_ns, rate_hz_milli, share }) => (
        <li key={cpu}>
          {[
            `Tick on CPU ${cpu}: ${groupDigits(count)}`,
            rate_hz_milli === null ? undefined : hertzText(rate_hz_milli),
            `mean ${durationText(ns(mean_ns))}`,
            `longest ${durationText(ns(max_ns))}`,
            `${percentText(share, 1)} of the CPU`,
          ]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </li>
      ))}
    </ul>
  );
}
