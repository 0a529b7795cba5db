import { SIDE_NAMES, type SideName } from '../../api/diff';
import type { LanePlace } from '../../components/chart/LaneChart';
import { sceneHeight } from '../../components/chart/laneScene';
import { spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import styles from './DiffCharts.module.css';
import type { DiffScene } from './diffScene';

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
          <Join {...edges} id={id} />
          {state !== 'largest' &&
            SIDE_NAMES.map((side) => <Edge key={side} {...edges} side={side} id={id} />)}
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

function Join({ id, ...edges }: Edges & { readonly id: number }) {
  const paths = joinPaths(edges, id);
  if (paths === undefined) return null;
  return (
    <>
      <path className={styles.gap} d={paths.gap} />
      <path className={styles.columns} d={paths.columns} />
    </>
  );
}

interface JoinPaths {
  /** The slanted band in the gap between the sides. */
  readonly gap: string;
  /** The columns from the boxes to the gap: within a side everything above each other is at the same time. */
  readonly columns: string;
}

function joinPaths(
  { drawing: { boxes, scene, firstNormal }, xOf }: Edges,
  id: number,
): JoinPaths | undefined {
  const [abnormal, normal] = [boxes.abnormal.get(id), boxes.normal.get(id)];
  if (abnormal === undefined || normal === undefined || firstNormal === undefined) return undefined;
  const bottomOf = (lane: number) => (scene.tops[lane] ?? 0) + (scene.rows[lane]?.height ?? 0);
  const [from, to] = [bottomOf(abnormal.lane), scene.tops[normal.lane] ?? 0];
  const [gapTop, gapBottom] = [bottomOf(firstNormal - 1), scene.tops[firstNormal] ?? 0];
  const [start, normalStart] = [xOf(abnormal.start), xOf(normal.start)];
  const end = Math.max(start + 1, xOf(abnormal.end));
  const normalEnd = Math.max(normalStart + 1, xOf(normal.end));
  return {
    gap: `M${start} ${gapTop}L${normalStart} ${gapBottom}H${normalEnd}L${end} ${gapTop}Z`,
    columns: `M${start} ${from}V${gapTop}H${end}V${from}ZM${normalStart} ${gapBottom}V${to}H${normalEnd}V${gapBottom}Z`,
  };
}

/** Paths a million pixels wide are not drawn exactly. */
const cut = (x: number, plotWidth: number) => Math.max(-plotWidth, Math.min(2 * plotWidth, x));
