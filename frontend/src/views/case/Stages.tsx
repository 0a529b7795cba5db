import type { LatencyCase, Stage } from '../../api/latencyTypes';
import { Panel } from '../../components/panel/Panel';
import { Duration } from '../../components/Quantity';
import { ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { visibleText } from '../../lib/visibleText';
import styles from './Stages.module.css';

/** The way from the start of the case to its end, on one scale; the widest stage stands out. */
export function Stages({ latencyCase }: { readonly latencyCase: LatencyCase }) {
  const { placed, sum } = placeStages(latencyCase);
  return (
    <Panel title="Stages" note="from start to end, to scale">
      <table className={styles.stages} aria-label="Stages">
        <thead className="unseen">
          <tr>
            <th scope="col">stage</th>
            <th scope="col">place in the case</th>
            <th scope="col">duration</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {placed.map((stage) => (
            <StageRow key={`${stage.start_ns} ${stage.from} ${stage.to}`} stage={stage} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              sum
            </th>
            <td className={styles.number}>
              = <Duration value={ns(sum)} />
            </td>
            <td className={`${styles.number} ${styles.quiet}`}>
              {percentText(sum, latencyCase.duration_ns)}
            </td>
          </tr>
        </tfoot>
      </table>
    </Panel>
  );
}

function StageRow({ stage }: { readonly stage: PlacedStage }) {
  return (
    <tr data-widest={stage.isWidest || undefined}>
      <th scope="row" title={visibleText(stage.name)}>
        {visibleText(stage.from)} <span className={styles.quiet}>→</span> {visibleText(stage.to)}
      </th>
      <td className={styles.track}>
        <span className="unseen">{`starts at ${percentText(stage.offset, 1)}`}</span>
        <span
          className={styles.bar}
          style={{ left: `${stage.offset * 100}%`, width: `${stage.share * 100}%` }}
        />
      </td>
      <td className={styles.number}>
        <Duration value={ns(stage.duration_ns)} />
      </td>
      <td className={`${styles.number} ${styles.quiet}`}>{percentText(stage.share, 1)}</td>
    </tr>
  );
}

/** One bar of the waterfall: where it lies in the whole case, both as shares of it. */
export interface PlacedStage extends Stage {
  /** 0..1 from the case's start. */
  readonly offset: number;
  /** 0..1 of the case. */
  readonly share: number;
  readonly isWidest: boolean;
}

/** The stages on the time scale of their case, in order; only the first of the widest is marked. */
export function placeStages({ stages, duration_ns }: Pick<LatencyCase, 'stages' | 'duration_ns'>): {
  readonly placed: readonly PlacedStage[];
  readonly sum: number;
} {
  const whole = Math.max(1, duration_ns);
  const widest = stages.reduce((most, { duration_ns: one }) => Math.max(most, one), 0);
  const first = stages.findIndex((stage) => stage.duration_ns === widest);
  let sum = 0;
  const placed = stages.map((stage, index): PlacedStage => {
    // Stages follow each other without gaps, so their own sum says where each one begins.
    const offset = sum / whole;
    sum += stage.duration_ns;
    return { ...stage, offset, share: stage.duration_ns / whole, isWidest: index === first };
  });
  return { placed, sum };
}
