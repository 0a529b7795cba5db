import { useMemo, useState } from 'react';
import type { ArrowKind } from '../../../api/arrows';
import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import { spanOf, type TimeWindow } from '../../../components/chart/timeWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { durationText, ns } from '../../../lib/ns';
import type { Arrow } from './arrow';
import styles from './ArrowLayer.module.css';
import { arrowRow } from './arrowRow';
import { curve } from './curve';

interface ArrowLayerProps {
  readonly arrows: readonly Arrow[];
  readonly kinds: readonly ArrowKind[];
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/** Arrows as curves between the lanes of their ends; the one that is pointed at says what it is. */
export function ArrowLayer({ arrows, kinds, lanes, scene, window, place }: ArrowLayerProps) {
  const [pointed, setPointed] = useState<string>();
  // The window moves at every frame, the rows do not.
  const placed = useMemo(() => arrows.flatMap((arrow) => placedArrow(lanes, arrow) ?? []), [lanes, arrows]);
  const drawn = placed
    .filter(({ arrow: { from, to } }) => to.t >= window.start && from.t <= window.end)
    .map((one) => ({ arrow: one.arrow, d: pathOf(one, { scene, window, place }) }));
  const found = drawn.find(({ arrow }) => arrow.id === pointed);
  return (
    <div className={styles.layer} aria-hidden>
      <svg className={styles.curves} data-testid="arrows">
        {drawn.map(({ arrow: { id, kind }, d }) => (
          <g key={id} data-kind={kind} data-pointed={id === pointed || undefined}>
            <path
              className={styles.reach}
              d={d}
              onPointerEnter={() => setPointed(id)}
              onPointerLeave={() => setPointed(undefined)}
            />
            <path className={styles.curve} d={d} />
          </g>
        ))}
      </svg>
      {found && <p className={styles.words}>{arrowText(found.arrow, kinds)}</p>}
    </div>
  );
}

interface PlacedArrow {
  readonly arrow: Arrow;
  readonly fromRow: number;
  readonly toRow: number;
}

/** Nothing where a lane of one of its ends is not shown. */
function placedArrow(lanes: readonly PlannedLane[], arrow: Arrow): PlacedArrow | undefined {
  const [fromRow, toRow] = [arrowRow(lanes, arrow, 'from'), arrowRow(lanes, arrow, 'to')];
  return fromRow === undefined || toRow === undefined ? undefined : { arrow, fromRow, toRow };
}

function pathOf(
  { arrow: { from, to }, fromRow, toRow }: PlacedArrow,
  { scene, window, place }: Pick<ArrowLayerProps, 'scene' | 'window' | 'place'>,
): string {
  const scale = place.plotWidth / spanOf(window);
  const middle = (row: number) => (scene.tops[row] ?? 0) + (scene.rows[row]?.height ?? 0) / 2 - place.scroll;
  const point = (t: number, row: number) => ({ x: (t - window.start) * scale, y: middle(row) });
  return curve(point(from.t, fromRow), point(to.t, toRow), place.plotWidth);
}

/** `cyclictest-372 on CPU 1, woken by ktimers/1-34 on CPU 1, 26.3 µs before`. */
export function arrowText({ kind, what, from, to }: Arrow, kinds: readonly ArrowKind[]): string {
  const backward = kinds.find(({ name }) => name === kind)?.backward ?? kind;
  const handler = what === '' ? to.task : what;
  const length = durationText(ns(to.t - from.t));
  return `${handler} on CPU ${to.cpu}, ${backward} ${from.task} on CPU ${from.cpu}, ${length} before`;
}
