import { useClock } from '../../components/clock/useClock';
import { useTheme } from '../../components/theme/theme';
import { DELTA_STEPS_NS, stepBar, stepColour, stepText } from './deltaScale';
import styles from './Legend.module.css';

const STEPS = DELTA_STEPS_NS.map((_, index) => index + 1);

/** The looks of the calls; the scale is the same in every comparison. */
export function Legend({ colour }: { readonly colour: 'self' | 'total' }) {
  const { isCounting } = useClock();
  return (
    <div className={styles.legend} role="group" aria-label="What the colours mean">
      <span className={styles.entry}>
        <span className={styles.cause} aria-hidden />
        largest
      </span>
      <span className={styles.entry}>
        <span className={styles.added} aria-hidden />
        only abnormal
      </span>
      <span className={styles.entry}>
        <span className={styles.removed} aria-hidden />
        only normal
      </span>
      <span className={styles.entry}>
        {colour === 'self' ? 'itself' : 'in all'} faster by
        {STEPS.toReversed().map((step) => (
          <Swatch key={step} step={-step} />
        ))}
        <Swatch step={0} />
        {STEPS.map((step) => (
          <Swatch key={step} step={step} />
        ))}
        slower by{isCounting ? ' clock ticks' : ''}
      </span>
    </div>
  );
}

/** A step with its own bar and, below it, what it begins at. */
function Swatch({ step }: { readonly step: number }) {
  const { name } = useTheme();
  const clock = useClock();
  const bar = stepBar(step);
  const edge = bar > 0 ? { bottom: 0 } : { top: 0 };
  return (
    <span className={styles.swatch} data-faint={step === 0} style={{ background: stepColour(step, name) }}>
      <span className={styles.bar} style={{ ...edge, height: Math.abs(bar) }} />
      {step === 0 ? 'less' : stepText(step, clock)}
    </span>
  );
}
