import { useEffect, useRef, type RefObject } from 'react';
import { panWindow, placeWindow, spanOf, windowBetween, zoomWindow, type TimeWindow } from './timeWindow';

export interface LaneGestures {
  readonly window: TimeWindow;
  readonly domain: TimeWindow;
  readonly plotWidth: number;
  /** What a plain drag does; with Shift it is always the area. */
  readonly dragging: 'pan' | 'area';
  /** Whether a plain wheel has rows to scroll; it zooms otherwise. */
  readonly scrolls: boolean;
  readonly onWindow: (window: TimeWindow) => void;
  /** The window stays as it is for now: the time to write it down. */
  readonly onSettled: () => void;
  readonly onArea: (area: TimeWindow) => void;
  readonly onClick: (x: number, y: number) => void;
  readonly onPoint: (point: Point | undefined, isPanning: boolean) => void;
}

interface Drag extends Point {
  readonly kind: 'pan' | 'area';
  readonly window: TimeWindow;
  readonly hasMoved: boolean;
}

const CLICK_SLACK_PX = 4;
const ZOOM_PER_PIXEL = 0.0022;
const LINE_PX = 16;

/** Pointer and wheel on the element of a lane plot. */
export function useLaneGestures(plot: RefObject<HTMLElement | null>, gestures: LaneGestures): void {
  const latest = useRef(gestures);
  useEffect(() => {
    latest.current = gestures;
  });
  usePointer(plot, latest);
  useWheel(plot, latest);
}

function usePointer(plot: RefObject<HTMLElement | null>, latest: RefObject<LaneGestures>) {
  useEffect(() => {
    const element = plot.current;
    if (element === null) return undefined;
    let drag: Drag | undefined;
    const onDown = (event: PointerEvent) => {
      if (event.button > 1) return;
      element.setPointerCapture(event.pointerId);
      const { window, dragging } = latest.current;
      const kind = event.button === 0 && (event.shiftKey || dragging === 'area') ? 'area' : 'pan';
      drag = { kind, ...placeIn(element, event), window, hasMoved: false };
    };
    const onMove = (event: PointerEvent) => {
      const point = placeIn(element, event);
      latest.current.onPoint(point, drag?.kind === 'pan');
      if (drag !== undefined) drag = continueDrag(drag, point, latest.current);
    };
    const onUp = (event: PointerEvent) => {
      const ended = drag;
      drag = undefined;
      if (ended === undefined) return;
      const { x, y } = placeIn(element, event);
      if (!ended.hasMoved) latest.current.onClick(x, y);
      latest.current.onSettled();
    };
    const onCancel = () => {
      if (drag?.hasMoved) latest.current.onWindow(drag.window);
      drag = undefined;
    };
    const onLeave = () => latest.current.onPoint(undefined, false);
    const listening = new AbortController();
    const options = { signal: listening.signal };
    element.addEventListener('pointerdown', onDown, options);
    element.addEventListener('pointermove', onMove, options);
    element.addEventListener('pointerup', onUp, options);
    element.addEventListener('pointercancel', onCancel, options);
    element.addEventListener('pointerleave', onLeave, options);
    return () => listening.abort();
  }, [plot, latest]);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function placeIn(element: HTMLElement, event: PointerEvent): Point {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function continueDrag(drag: Drag, point: Point, gestures: LaneGestures): Drag {
  const hasMoved = drag.hasMoved || Math.abs(point.x - drag.x) > CLICK_SLACK_PX;
  const perPixel = spanOf(drag.window) / Math.max(1, gestures.plotWidth);
  if (hasMoved && drag.kind === 'area') {
    const timeAt = (x: number) =>
      Math.min(drag.window.end, Math.max(drag.window.start, drag.window.start + x * perPixel));
    gestures.onArea(windowBetween(timeAt(drag.x), timeAt(point.x)));
  } else if (hasMoved) {
    const start = drag.window.start + (drag.x - point.x) * perPixel;
    gestures.onWindow(placeWindow(start, spanOf(drag.window), gestures.domain));
  }
  return { ...drag, hasMoved };
}

/** Ctrl (a pinch on a touchpad) zooms at the pointer, Shift and sideways pan, a plain wheel scrolls the rows if it can. */
function useWheel(plot: RefObject<HTMLElement | null>, latest: RefObject<LaneGestures>) {
  useEffect(() => {
    const element = plot.current;
    if (element === null) return undefined;
    let settling: ReturnType<typeof setTimeout> | undefined;
    const onWheel = (event: WheelEvent) => {
      const { window, domain, plotWidth, scrolls, onWindow } = latest.current;
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
      const [dx, dy] = [event.deltaX * pixels, event.deltaY * pixels];
      const sideways = event.shiftKey || Math.abs(dx) > Math.abs(dy);
      const zooms = event.ctrlKey || event.metaKey || (!sideways && !scrolls);
      if (!zooms && !sideways) return;
      event.preventDefault();
      const anchor = (event.clientX - element.getBoundingClientRect().left) / Math.max(1, plotWidth);
      onWindow(
        zooms
          ? zoomWindow(
              window,
              Math.exp((event.ctrlKey && !Number.isInteger(dy) ? 4 : 1) * dy * ZOOM_PER_PIXEL),
              anchor,
              domain,
            )
          : panWindow(window, (Math.abs(dx) > Math.abs(dy) ? dx : dy) / Math.max(1, plotWidth), domain),
      );
      clearTimeout(settling);
      settling = setTimeout(() => latest.current.onSettled(), 150);
    };
    // React listens passively, and a passive listener cannot keep the browser from zooming the page.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      clearTimeout(settling);
      element.removeEventListener('wheel', onWheel);
    };
  }, [plot, latest]);
}
