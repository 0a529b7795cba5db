import { memo } from 'react';
import { FLAG_ROW_PX, placeFlags } from './placeFlags';
import type { LaneHit } from './LaneChart';
import styles from './LaneChart.module.css';
import type { LaneScene } from './laneScene';
import { overlaps, spanOf, type TimeWindow } from './timeWindow';

/** A line across all rows: a cursor, a note from the trace, the event of a table. */
export interface LaneMark {
  readonly id: string;
  readonly at: number;
  readonly kind: 'cursor' | 'note' | 'event' | 'hover';
  readonly text?: string;
}

interface LaneOverlayProps {
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly plotWidth: number;
  readonly scroll: number;
  readonly hovered?: LaneHit | undefined;
  readonly selected?: LaneHit | undefined;
  readonly area?: TimeWindow | undefined;
  readonly marks: readonly LaneMark[];
}

/** What is drawn over the canvas and changes without repainting it. */
export function LaneOverlay({
  scene,
  window,
  plotWidth,
  scroll,
  hovered,
  selected,
  area,
  marks,
}: LaneOverlayProps) {
  const scale = plotWidth / spanOf(window);
  const xOf = (at: number) => (at - window.start) * scale;
  const seen = marks.filter((mark) => mark.at >= window.start && mark.at <= window.end);
  const flags = placeFlags(
    seen.map(({ at, text }) => ({ x: xOf(at), text })),
    plotWidth,
  );
  return (
    <div className={styles.overlay} aria-hidden="true">
      {area && overlaps(window, area.start, area.end) && (
        <div className={styles.area} style={stretch(xOf(area.start), xOf(area.end), plotWidth)} />
      )}
      {seen.map((mark, index) => {
        const flag = flags[index];
        return (
          <div key={mark.id} className={styles.mark} data-kind={mark.kind} style={{ left: xOf(mark.at) }}>
            {flag && (
              <span
                className={styles.flag}
                data-side={flag.side}
                style={{ bottom: flag.row * FLAG_ROW_PX, maxWidth: flag.maxWidth }}
              >
                {mark.text}
              </span>
            )}
          </div>
        );
      })}
      {hovered && (
        <Outline scene={scene} hit={hovered} state="hovered" xOf={xOf} width={plotWidth} scroll={scroll} />
      )}
      {selected && (
        <Outline scene={scene} hit={selected} state="selected" xOf={xOf} width={plotWidth} scroll={scroll} />
      )}
    </div>
  );
}

interface OutlineProps {
  readonly scene: LaneScene;
  readonly hit: LaneHit;
  readonly state: 'hovered' | 'selected';
  readonly xOf: (at: number) => number;
  readonly width: number;
  readonly scroll: number;
}

function Outline({ scene, hit, state, xOf, width, scroll }: OutlineProps) {
  const row = scene.rows[hit.row];
  const start = hit.item === undefined ? undefined : row?.items.start[hit.item];
  if (row === undefined || hit.item === undefined || start === undefined) return null;
  const end = start + (row.items.duration[hit.item] ?? 0);
  return (
    <div
      className={styles.outline}
      data-state={state}
      style={{
        ...stretch(xOf(start), xOf(end), width),
        top: (scene.tops[hit.row] ?? 0) - scroll,
        height: row.height,
      }}
    />
  );
}

/** Cut a little outside the plot: an element a million pixels wide is not laid out exactly. */
function stretch(from: number, to: number, plotWidth: number): { left: number; width: number } {
  const left = Math.max(-8, from);
  return { left, width: Math.max(2, Math.min(plotWidth + 8, to) - left) };
}

/** Where it does not fit, the name of a task keeps its pid. */
function GroupName({ name }: { readonly name: string }) {
  const at = name.search(/-\d+$/);
  if (at < 1) return <span className={styles.group}>{name}</span>;
  return (
    <span className={`${styles.group} ${styles.task}`}>
      <span>{name.slice(0, at)}</span>
      <span>{name.slice(at)}</span>
    </span>
  );
}

const LINE_PX = 16;
/** From this height on, what does not fit beside the first name of a row has a line of its own. */
const TWO_LINES_PX = 2 * LINE_PX;

interface LaneGutterProps {
  readonly scene: LaneScene;
  readonly width: number;
  readonly scroll: number;
  /** What the axis' labels need to be read: the time that they count from, or what they count. */
  readonly corner: string | undefined;
}

/** The names of the rows, left of the plot and in step with its scrolling. */
export const LaneGutter = memo(function LaneGutter({ scene, width, scroll, corner }: LaneGutterProps) {
  return (
    <div className={styles.gutter} style={{ width }}>
      <div className={styles.corner}>{corner}</div>
      <div className={styles.names}>
        {scene.rows.map((row, index) => (
          <div
            key={row.id}
            className={styles.name}
            data-row={index}
            data-tall={row.height >= TWO_LINES_PX || undefined}
            style={{
              top: (scene.tops[index] ?? 0) - scroll,
              height: row.height,
              lineHeight: `${row.height >= TWO_LINES_PX ? LINE_PX : row.height}px`,
            }}
          >
            {row.group !== undefined && <GroupName name={row.group} />}
            <span className={styles.kind}>{row.label}</span>
          </div>
        ))}
      </div>
    </div>
  );
});
