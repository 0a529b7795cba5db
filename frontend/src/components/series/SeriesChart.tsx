import { useMemo, useRef, useState } from 'react';
import { Chart } from '../chart/Chart';
import { AXIS_HEIGHT_PX } from '../chart/laneScene';
import { ReadingSurface } from '../chart/ReadingSurface';
import { ticksOf } from '../chart/timeTicks';
import { spanOf, type TimeWindow } from '../chart/timeWindow';
import { useLaneGestures } from '../chart/useLaneGestures';
import type { LiveWindow } from '../chart/useLiveWindow';
import { useClock } from '../clock/useClock';
import type { Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { useTheme } from '../theme/theme';
import type { NsRange } from '../../viewState/fields';
import { pointByKey } from './pointKeys';
import { levelOf, pixelOf, pointNear, ROW_GAP_PX, type PointOfSeries, type SeriesPlot } from './series';
import { seriesOption } from './seriesOption';
import styles from './SeriesChart.module.css';

export interface PickedPoint {
  readonly point: PointOfSeries;
  readonly as: 'abnormal' | 'normal';
}

interface SeriesChartProps {
  readonly plot: SeriesPlot;
  /** Pixels of the plot, without the gutter at its left. */
  readonly width: number;
  readonly gutter: number;
  readonly domain: TimeWindow;
  readonly live: LiveWindow;
  readonly hovered: PointOfSeries | undefined;
  /** Points that were picked, and as what. */
  readonly picked?: readonly PickedPoint[];
  /** Durations that were chosen elsewhere, shown in every row. */
  readonly levels?: NsRange | undefined;
  readonly label: string;
  readonly renderedMark: string | undefined;
  readonly onHover: (hit: { readonly point?: PointOfSeries; readonly at: number } | undefined) => void;
  readonly onOpen: (point: PointOfSeries | undefined) => void;
}

/**
 * The points, the names of their CPUs, and what the pointer does: drag zooms, a click opens, Ctrl-wheel zooms. In focus,
 * the arrow keys lead from point to point, and Enter opens.
 */
export function SeriesChart(props: SeriesChartProps) {
  const { plot, width, gutter, domain, live, hovered } = props;
  const { palette } = useTheme();
  const surface = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState<TimeWindow>();
  const clock = useClock();
  const ticks = useMemo(() => ticksOf(clock)(plot.window, width), [clock, plot.window, width]);
  const option = useMemo(
    () => seriesOption({ plot, ticks, palette, gutter, target: 'screen' }),
    [plot, ticks, palette, gutter],
  );
  useLaneGestures(surface, {
    window: live.window,
    domain,
    plotWidth: width,
    dragging: 'area',
    // The page scrolls, so a plain wheel is its own.
    scrolls: true,
    onWindow: live.move,
    onSettled: () => {
      if (draft && draft.end > draft.start) live.jump(draft);
      else live.settle();
      setDraft(undefined);
    },
    onArea: setDraft,
    onClick: (x, y) => props.onOpen(pointNear(plot, width, x, y + AXIS_HEIGHT_PX)),
    onPoint: (pointer, isPanning) => {
      if (!isPanning) props.onHover(pointer && hitAt(plot, width, pointer.x, pointer.y));
    },
  });
  const rings = [...(props.picked ?? []), ...(hovered ? [{ point: hovered, as: 'hovered' }] : [])];
  const xOf = (at: number) => ((at - live.window.start) / spanOf(live.window)) * width;
  return (
    <div className={styles.chart} style={{ height: plot.heightPx }}>
      <Chart option={option} label={props.label} renderedMark={props.renderedMark} />
      <div className={styles.names} style={{ width: gutter }} aria-hidden>
        <span className={styles.corner}>{ticks.base ?? ticks.unit}</span>
        {plot.lanes.map(({ cpu }, row) => (
          <span
            key={cpu}
            className={styles.name}
            style={{ top: AXIS_HEIGHT_PX + row * plot.rowPx + ROW_GAP_PX }}
          >{`CPU ${cpu}`}</span>
        ))}
      </div>
      <ReadingSurface
        ref={surface}
        className={styles.surface}
        label={`Point of ${props.label}`}
        read={hovered}
        index={hovered?.index}
        count={plot.lanes[hovered?.lane ?? 0]?.t.length ?? 1}
        text={hovered && pointText(plot, hovered, clock)}
        place={{ left: gutter, top: AXIS_HEIGHT_PX, right: 0, bottom: 0 }}
        keyTo={(key) => pointByKey(plot, hovered, key)}
        onRead={(point) => props.onHover(point && { point, at: timeOf(plot, point) })}
        onOpen={props.onOpen}
        onDoubleClick={() => live.jump(domain)}
      >
        {draft && (
          <div
            className={styles.area}
            style={{ left: xOf(draft.start), width: xOf(draft.end) - xOf(draft.start) }}
          />
        )}
        {props.levels &&
          plot.lanes.map(({ cpu }, row) => (
            <div key={cpu} className={styles.levels} style={levelsIn(plot, row, props.levels)} data-chosen />
          ))}
        {rings.map(({ point, as }) => {
          const pixel = pixelOf(plot, width, point);
          return (
            pixel && (
              <div
                key={as}
                className={styles.ring}
                data-as={as}
                style={{ left: pixel.x, top: pixel.y - AXIS_HEIGHT_PX }}
              />
            )
          );
        })}
      </ReadingSurface>
    </div>
  );
}

/** Of the surface, which begins under the axis. */
function levelsIn(plot: SeriesPlot, row: number, range: NsRange | undefined) {
  if (range === undefined) return undefined;
  const [low, high] = [range.start, range.end - 1].map((value) => levelOf(plot, row, value) - AXIS_HEIGHT_PX);
  return high === undefined || low === undefined ? undefined : { top: high, height: Math.max(2, low - high) };
}

const timeOf = ({ lanes, window }: SeriesPlot, { lane, index }: PointOfSeries) =>
  lanes[lane]?.t[index] ?? window.start;

/** What is said of a point: `18.551 µs on CPU 1 at 0.995 ms`. */
function pointText(plot: SeriesPlot, point: PointOfSeries, clock: Clock): string {
  const lane = plot.lanes[point.lane];
  const value = plot.measure.text(lane?.duration_ns[point.index] ?? 0);
  return `${value} on CPU ${lane?.cpu} at ${clock.duration(ns(timeOf(plot, point)))}`;
}

function hitAt(plot: SeriesPlot, width: number, x: number, y: number) {
  const at = plot.window.start + (x / Math.max(1, width)) * spanOf(plot.window);
  const point = pointNear(plot, width, x, y + AXIS_HEIGHT_PX);
  return point ? { at, point } : { at };
}
