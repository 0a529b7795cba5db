import { type LanePlace } from '../../components/chart/LaneChart';
import { sceneHeight } from '../../components/chart/laneScene';
import { spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import styles from './DiffCharts.module.css';
import type { Box, DiffScene, SideName } from './diffScene';

interface JoinsProps {
  readonly drawing: DiffScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
  readonly joined: readonly number[];
  readonly hovered: number | undefined;
  readonly selected: number | undefined;
}

/** Quiet bands between the two boxes of one call, and edges around those that are pointed at or chosen. */
export function Joins({ drawing, window, place, joined, hovered, selected }: JoinsProps) {
  const { scroll, plotWidth } = place;
  const scale = plotWidth / spanOf(window);
  const edges = { xOf: (at: number) => cut((at - window.start) * scale, plotWidth), drawing };
  const marked = [
    ...joined.filter((id) => id !== hovered && id !== selected).map((id) => ({ id, state: 'largest' })),
    ...(selected === undefined ? [] : [{ id: selected, state: 'selected' }]),
    ...(hovered === undefined || hovered === selected ? [] : [{ id: hovered, state: 'hovered' }]),
  ];
  return (
    <svg
      className={styles.joins}
      style={{ top: -scroll }}
      width={plotWidth}
      height={sceneHeight(drawing.scene)}
      aria-hidden
    >
      {marked.map(({ id, state }) => (
        <g key={id} data-state={state} data-row={id}>
          <path className={styles.join} d={joinPath(edges, id)} />
          {state !== 'largest' &&
            (['a', 'b'] as const).map((side) => <Edge key={side} {...edges} side={side} id={id} />)}
        </g>
      ))}
    </svg>
  );
}

interface Edges {
  readonly drawing: DiffScene;
  readonly xOf: (at: number) => number;
}

function Edge({ drawing, xOf, side, id }: Edges & { readonly side: SideName; readonly id: number }) {
  const box = drawing.boxes[side].get(id);
  if (box === undefined) return null;
  const x = xOf(box.start);
  const top = drawing.scene.tops[box.lane] ?? 0;
  const height = drawing.scene.rows[box.lane]?.height ?? 0;
  return (
    <rect
      className={styles.edge}
      x={x}
      y={top}
      width={Math.max(2, xOf(box.end) - x)}
      height={Math.max(1, height)}
    />
  );
}

/**
 * Straight down from the upper box, slanted in the gap between the sides, straight down to the lower box: in either
 * chart everything that stands above each other is at the same time.
 */
function joinPath({ drawing: { boxes, scene, firstLower }, xOf }: Edges, id: number): string {
  const [upper, lower] = [boxes.a.get(id), boxes.b.get(id)];
  if (upper === undefined || lower === undefined || firstLower === undefined) return '';
  const bottomOf = ({ lane }: Box) => (scene.tops[lane] ?? 0) + (scene.rows[lane]?.height ?? 0);
  const [from, to] = [bottomOf(upper), scene.tops[lower.lane] ?? 0];
  const gapTop = (scene.tops[firstLower - 1] ?? 0) + (scene.rows[firstLower - 1]?.height ?? 0);
  const gapBottom = scene.tops[firstLower] ?? 0;
  const [a0, a1, b0, b1] = [xOf(upper.start), xOf(upper.end), xOf(lower.start), xOf(lower.end)];
  const down = `M${a0} ${from}V${gapTop}L${b0} ${gapBottom}V${to}`;
  return `${down}H${Math.max(b0 + 1, b1)}V${gapBottom}L${Math.max(a0 + 1, a1)} ${gapTop}V${from}Z`;
}

/** Paths a million pixels wide are not drawn exactly. */
const cut = (x: number, plotWidth: number) => Math.max(-plotWidth, Math.min(2 * plotWidth, x));
