import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import { Chart } from './Chart';
import type { PictureFormat } from './pictureFile';
import styles from './LaneChart.module.css';
import { LaneNames } from './LaneNames';
import { LaneGutter, LaneOverlay, type LaneMark } from './LaneOverlay';
import { AXIS_HEIGHT_PX, itemAt, lastAtOrBefore, rowAt, sceneHeight, type LaneScene } from './laneScene';
import type { AxisTicks } from './timeTicks';
import { spanOf, type TimeWindow } from './timeWindow';
import { useElementSize } from './useElementSize';
import { useLaneOption } from './useLaneOption';
import { useLaneGestures, type LaneGestures } from './useLaneGestures';

/** What lies under a point of the plot; `item` is absent on empty ground. */
export interface LaneHit {
  readonly row: number;
  readonly item?: number;
  readonly at: number;
}

export interface LaneChartHandle {
  readonly focus: () => void;
  /** Without a title, the picture has what the chart is called. */
  readonly save: (format: PictureFormat, name: string, title?: string) => void;
  /** Scrolls the rows so that this one is in sight. */
  readonly reveal: (row: number) => void;
}

export interface LaneChartProps {
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly domain: TimeWindow;
  readonly ticksFor: (window: TimeWindow, width: number) => AxisTicks;
  readonly label: string;
  readonly renderedMark?: string | undefined;
  /** Pixels left of the plot for the names of the rows. */
  readonly gutter: number;
  readonly dragging?: LaneGestures['dragging'];
  /** The chart is in a page that scrolls, so a plain wheel scrolls the page. */
  readonly isInPage?: boolean;
  readonly hovered?: LaneHit | undefined;
  readonly selected?: LaneHit | undefined;
  readonly area?: TimeWindow | undefined;
  readonly marks?: readonly LaneMark[];
  readonly onWindow: (window: TimeWindow) => void;
  readonly onSettled: () => void;
  readonly onArea: (area: TimeWindow) => void;
  readonly onHover: (hit: LaneHit | undefined) => void;
  readonly onPick: (hit: LaneHit | undefined) => void;
  readonly onOpen?: (hit: LaneHit | undefined) => void;
  /** Told of the first and the last row in sight, also when they change. */
  readonly onRows?: (first: number, last: number) => void;
  readonly ref?: Ref<LaneChartHandle>;
  /** What else lies over the canvas, in pixels of the plot; changes without repainting it. */
  readonly renderOver?: (place: LanePlace) => ReactNode;
  /** What lies over the names of the rows, such as buttons. */
  readonly renderGutter?: (place: LanePlace) => ReactNode;
}

/** The position of the plot: pixels of rows hidden above it, and its width. */
export interface LanePlace {
  readonly scroll: number;
  readonly plotWidth: number;
}

const HIT_SLACK_PX = 3;

/** Rows of intervals over one axis: drawn by ECharts, pointed at through the model, panned and zoomed by hand. */
export function LaneChart({ ref, ...props }: LaneChartProps) {
  const { scene, window, gutter, ticksFor } = props;
  const plot = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [size, attachSize] = useElementSize();
  const attachScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return attachSize(element);
    },
    [attachSize],
  );
  const [scroll, setScroll] = useState(0);
  const plotWidth = Math.max(1, size.width - gutter);
  const height = sceneHeight(scene);
  const { option, names, ticks, save } = useLaneOption({
    scene,
    window,
    ticksFor,
    gutter,
    plotWidth,
    scroll,
  });

  const { onRows } = props;
  useEffect(() => {
    if (size.height === 0 || scene.rows.length === 0) return;
    const rowOf = (y: number) => Math.max(0, lastAtOrBefore(scene.tops, y, scene.rows.length));
    onRows?.(rowOf(scroll), rowOf(scroll + size.height - AXIS_HEIGHT_PX));
  }, [onRows, scene, scroll, size.height]);

  const hitAt = (x: number, y: number) =>
    hitIn(scene, window.start, spanOf(window) / plotWidth, x, y + scroll);
  // What was under the pointer is something else once the window moves, the rows scroll, or an answer comes.
  const pointer = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const hover = useRef(props.onHover);
  useEffect(() => {
    hover.current = props.onHover;
  });
  useEffect(() => {
    if (pointer.current === undefined) return;
    const { x, y } = pointer.current;
    hover.current(hitIn(scene, window.start, spanOf(window) / plotWidth, x, y + scroll));
  }, [scene, window, plotWidth, scroll]);
  useLaneGestures(plot, {
    window,
    domain: props.domain,
    plotWidth,
    dragging: props.dragging ?? 'pan',
    scrolls: props.isInPage === true || height > size.height - AXIS_HEIGHT_PX + 1,
    onWindow: props.onWindow,
    onSettled: props.onSettled,
    onArea: props.onArea,
    onClick: (x, y) => props.onPick(hitAt(x, y)),
    onPoint: (point, isPanning) => {
      pointer.current = point;
      // The window follows a pointer that pans, and then it is looked up anyway.
      if (!isPanning) props.onHover(point && hitAt(point.x, point.y));
    },
  });

  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    save: (format, name, title = props.label) => save(format, name, title),
    reveal: (row) => revealRow(scroller.current, scene, row),
  }));

  return (
    <div
      className={styles.lanes}
      data-in-page={props.isInPage}
      ref={attachScroller}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
      tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- scrolls, and takes the page's keys
      role="group"
      aria-label={props.label}
    >
      <div style={{ height: Math.max(size.height, height + AXIS_HEIGHT_PX) }}>
        <div className={styles.screen} style={{ height: size.height }}>
          {size.width > 0 && <Chart option={option} label={props.label} renderedMark={props.renderedMark} />}
          <LaneGutter scene={scene} width={gutter} scroll={scroll} corner={ticks.base ?? ticks.unit} />
          {props.renderGutter && (
            <div className={styles.handles} style={{ width: gutter, top: AXIS_HEIGHT_PX }}>
              {props.renderGutter({ scroll, plotWidth })}
            </div>
          )}
          <div
            ref={plot}
            className={styles.plot}
            data-dragging={props.dragging ?? 'pan'}
            style={{ left: gutter, top: AXIS_HEIGHT_PX }}
            onDoubleClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              props.onOpen?.(hitAt(event.clientX - box.left, event.clientY - box.top));
            }}
          >
            <LaneOverlay {...props} scroll={scroll} plotWidth={plotWidth} marks={props.marks ?? []} />
            {props.renderOver?.({ scroll, plotWidth })}
            <LaneNames
              paint={names}
              window={window}
              width={plotWidth}
              height={Math.max(0, size.height - AXIS_HEIGHT_PX)}
              scroll={scroll}
            />
          </div>
        </div>
      </div>
    </div>
  );
}

/** What is drawn at a pixel of the rows; beside an item of less than a few pixels, that item. */
function hitIn(scene: LaneScene, start: number, perPixel: number, x: number, y: number): LaneHit | undefined {
  const row = rowAt(scene, y);
  const found = row === undefined ? undefined : scene.rows[row];
  if (row === undefined || found === undefined) return undefined;
  const at = start + x * perPixel;
  const item = itemAt(found, at, HIT_SLACK_PX * perPixel);
  return item === undefined ? { row, at } : { row, item, at };
}

function revealRow(scroller: HTMLElement | null, scene: LaneScene, row: number): void {
  const top = scene.tops[row];
  if (scroller === null || top === undefined) return;
  const bottom = top + (scene.rows[row]?.height ?? 0);
  const room = scroller.clientHeight - AXIS_HEIGHT_PX;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
}
