import styles from './LaneChart.module.css';
import type { LaneScene } from './laneScene';

interface LaneGutterProps {
  readonly scene: LaneScene;
  readonly width: number;
  readonly scroll: number;
  /** The time that the axis' labels count from. */
  readonly base: string | undefined;
}

/** The names of the rows, left of the plot and in step with its scrolling. */
export function LaneGutter({ scene, width, scroll, base }: LaneGutterProps) {
  return (
    <div className={styles.gutter} style={{ width }}>
      <div className={styles.corner}>{base}</div>
      <div className={styles.names}>
        {scene.rows.map((row, index) => (
          <div
            key={row.id}
            className={styles.name}
            style={{
              top: (scene.tops[index] ?? 0) - scroll,
              height: row.height,
              lineHeight: `${row.height}px`,
            }}
          >
            {row.group !== undefined && <span className={styles.group}>{row.group}</span>}
            <span className={styles.kind}>{row.label}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
