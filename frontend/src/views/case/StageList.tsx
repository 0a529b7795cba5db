import type { LatencyCase } from '../../api/latencyTypes';
import { Duration } from '../../components/Quantity';
import { ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { visibleText } from '../../lib/visibleText';
import styles from './CaseWay.module.css';
import { Term } from '../../components/term/Term';
import { useMoments } from '../../components/term/meanings';
import { widestStage } from '../../components/ruler/latePart';
import type { Lights } from './useLit';

interface StageListProps {
  readonly latencyCase: Pick<LatencyCase, 'stages' | 'duration_ns'>;
  readonly lights: Lights;
}

/** The moments of the case in words, with the time between two of them; each stage lights its stretch. */
export function StageList({ latencyCase: { stages, duration_ns }, lights }: StageListProps) {
  const isDivided = stages.length > 1;
  const widest = isDivided ? widestStage(stages) : -1;
  const moments = useMoments();
  return (
    <ol className={styles.stages} aria-label="Stages">
      {stages.map((stage, index) => {
        const id = `stage-${index + 1}`;
        return (
          <li key={id} data-widest={index === widest || undefined}>
            <Term
              isAbove
              title={`${stage.name}: ${percentText(stage.duration_ns, duration_ns)}`}
              meaning={meaningOf(stage, moments)}
            >
              <button
                type="button"
                className={styles.stage}
                aria-pressed={lights.picked?.id === id}
                data-lit={lights.lit?.id === id || undefined}
                onPointerMove={() => lights.point(id)}
                onPointerLeave={() => lights.point(undefined)}
                onFocus={() => lights.point(id)}
                onBlur={() => lights.point(undefined)}
                onClick={() => lights.pick(id)}
              >
                {/* The moment at which a stage begins is the end of the one before. */}
                <span className={index === 0 ? undefined : 'unseen'}>{visibleText(stage.from)}</span>{' '}
                <span className={styles.arrow}>→</span> {visibleText(stage.to)}{' '}
                <Duration value={ns(stage.duration_ns)} />
              </button>
            </Term>
          </li>
        );
      })}
      {isDivided && (
        <li className={styles.sum}>
          = <Duration value={ns(stages.reduce((sum, stage) => sum + stage.duration_ns, 0))} />
        </li>
      )}
    </ol>
  );
}

/** What happens at its two ends. */
function meaningOf(
  { from, to }: { readonly from: string; readonly to: string },
  moments: ReturnType<typeof useMoments>,
): string {
  return [from, to].map((moment) => `${capital(moment)}: ${moments.get(moment) ?? ''}`).join(' ');
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
