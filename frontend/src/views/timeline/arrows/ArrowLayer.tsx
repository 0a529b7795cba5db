import { useMemo, useState, type PointerEvent } from 'react';
import type { ArrowKind } from '../../../api/arrows';
import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import { spanOf, type TimeWindow } from '../../../components/chart/timeWindow';
import { useClock } from '../../../components/clock/useClock';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import type { Clock } from '../../../lib/clock';
import { ns } from '../../../lib/ns';
import type { Arrow } from './arrow';
import styles from './ArrowLayer.module.css';
import { arrowRow } from './arrowRow';
import { curveBetween, curvePath, distanceTo, type Curve, type Point } from './curve';

interface ArrowLayerProps {
  readonly arrows: readonly Arrow[];
  readonly kinds: readonly ArrowKind[];
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/**
 * Arrows as curves between the lanes of their ends; the one that is pointed at says what it is. All of a kind are one
 * path, so that a frame of a pan writes a few attributes, however many arrows there are.
 */
export function ArrowLayer({ arrows, kinds, lanes, scene, window, place }: ArrowLayerProps) {
  const clock = useClock();
  const [pointed, setPointed] = useState<string>();
  // The window moves at every frame, the rows do not.
  const placed = useMemo(() => arrows.flatMap((arrow) => placedArrow(lanes, arrow) ?? []), [lanes, arrows]);
  const drawn = placed
    .filter(({ arrow: { from, to } }) => to.t >= window.start && from.t <= window.end)
    .map((one) => ({ arrow: one.arrow, curve: curveOf(one, { scene, window, place }) }));
  const found = drawn.find(({ arrow }) => arrow.id === pointed);
  return (
    <div className={styles.layer} aria-hidden>
      <svg className={styles.curves} data-testid="arrows">
        {[...new Set(drawn.map(({ arrow }) => arrow.kind))].map((kind) => {
          const ofKind = drawn.filter(({ arrow }) => arrow.kind === kind);
          const d = ofKind.map(({ curve }) => curvePath(curve)).join('');
          return (
            <g key={kind} data-kind={kind} data-count={ofKind.length}>
              <path
                className={styles.reach}
                d={d}
                onPointerMove={(event) => setPointed(nearest(ofKind, pointIn(event))?.arrow.id)}
                onPointerLeave={() => setPointed(undefined)}
              />
              <path className={styles.halo} d={d} />
              <path className={styles.curve} d={d} />
              {found?.arrow.kind === kind && <path className={styles.pointed} d={curvePath(found.curve)} />}
            </g>
          );
        })}
      </svg>
      {found && <p className={styles.words}>{arrowText(found.arrow, kinds, clock)}</p>}
    </div>
  );
}

interface DrawnArrow {
  readonly arrow: Arrow;
  readonly curve: Curve;
}

function pointIn({ currentTarget, clientX, clientY }: PointerEvent<SVGPathElement>): Point {
  const box = currentTarget.ownerSVGElement?.getBoundingClientRect();
  return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
}

const nearest = (arrows: readonly DrawnArrow[], point: Point): DrawnArrow | undefined =>
  arrows
    .map((arrow) => ({ arrow, px: distanceTo(arrow.curve, point) }))
    .reduce((least, one) => (one.px < least.px ? one : least)).arrow;

interface PlacedArrow {
  readonly arrow: Arrow;
  readonly fromRow: number;
  readonly toRow: number;
}

/** An arrow leaves and reaches a row at the edge that faces the other: in its middle are the names of slices. */
const EDGE_PX = 3;

/** Nothing where a lane of one of its ends is not shown. */
function placedArrow(lanes: readonly PlannedLane[], arrow: Arrow): PlacedArrow | undefined {
  const [fromRow, toRow] = [arrowRow(lanes, arrow, 'from'), arrowRow(lanes, arrow, 'to')];
  return fromRow === undefined || toRow === undefined ? undefined : { arrow, fromRow, toRow };
}

function curveOf(
  { arrow: { from, to }, fromRow, toRow }: PlacedArrow,
  { scene, window, place }: Pick<ArrowLayerProps, 'scene' | 'window' | 'place'>,
): Curve {
  const scale = place.plotWidth / spanOf(window);
  const edge = (row: number, other: number) => {
    const top = (scene.tops[row] ?? 0) - place.scroll;
    return other > row ? top + (scene.rows[row]?.height ?? 0) - EDGE_PX : top + EDGE_PX;
  };
  const start = { x: (from.t - window.start) * scale, y: edge(fromRow, toRow) };
  const end = { x: (to.t - window.start) * scale, y: edge(toRow, fromRow) };
  return curveBetween(start, end, place.plotWidth);
}

/** `cyclictest-372 on CPU 1, woken by ktimers/1-34 on CPU 1, 26.3 µs before`. */
export function arrowText(
  { kind, what, from, to }: Arrow,
  kinds: readonly ArrowKind[],
  clock: Clock,
): string {
  const backward = kinds.find(({ name }) => name === kind)?.backward ?? kind;
  const handler = what === '' ? to.task : what;
  const length = clock.duration(ns(to.t - from.t));
  return `${handler} on CPU ${to.cpu}, ${backward} ${from.task} on CPU ${from.cpu}, ${length} before`;
}
