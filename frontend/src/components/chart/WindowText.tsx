import { ns } from '../../lib/ns';
import { useClock } from '../clock/useClock';
import { Duration } from '../Quantity';
import { spanOf, type TimeWindow } from './timeWindow';
import styles from './WindowText.module.css';

interface WindowTextProps {
  readonly window: TimeWindow;
  readonly isLoading: boolean;
}

/** Start and length of the visible window, as wide as it will ever be. */
export function WindowText({ window, isLoading }: WindowTextProps) {
  const clock = useClock();
  return (
    <span className={styles.window}>
      <span data-testid="window" title="Start and length of the visible window">
        {clock.column(ns(Math.round(window.start)))}
        <span className={styles.quiet}>{clock.isCounting ? ' + ' : '\u202fs +\u202f'}</span>
        <Duration value={ns(Math.round(spanOf(window)))} />
        {clock.isCounting && <span className={styles.quiet}>{'\u202fclock ticks'}</span>}
      </span>
      <span className={styles.loading} aria-live="polite">
        {isLoading ? 'loading …' : ''}
      </span>
    </span>
  );
}
