/**
 * A stretch of the horizontal axis, `start <= x < end`. Nanoseconds from the trace's first record on time
 * axes, a running total of nanoseconds on the merged flame graph.
 */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** The narrowest window: ten pixels to the nanosecond on a wide screen, and stamps have no finer step. */
export const MIN_SPAN_NS = 100;

export const spanOf = (window: TimeWindow): number => window.end - window.start;

/** The window of `span` from `start`, moved and cut so that it lies inside `domain`, in whole units. */
export function placeWindow(start: number, span: number, domain: TimeWindow): TimeWindow {
  const room = Math.max(1, spanOf(domain));
  const width = Math.min(room, Math.max(Math.min(MIN_SPAN_NS, room), Math.round(span)));
  const from = Math.min(Math.max(Math.round(start), domain.start), domain.start + room - width);
  return { start: from, end: from + width };
}

/** `window` scaled by `factor` (below 1 zooms in) with the point at `anchor` (0 left edge .. 1 right edge) kept in place. */
export function zoomWindow(
  window: TimeWindow,
  factor: number,
  anchor: number,
  domain: TimeWindow,
): TimeWindow {
  const span = spanOf(window);
  const wanted = Math.min(spanOf(domain), Math.max(MIN_SPAN_NS, span * factor));
  return placeWindow(window.start + (span - wanted) * anchor, wanted, domain);
}

/** `window` moved by `share` of its own span: 0.1 shows what comes a tenth of a screen later. */
export function panWindow(window: TimeWindow, share: number, domain: TimeWindow): TimeWindow {
  const span = spanOf(window);
  const step = Math.sign(share) * Math.max(1, Math.abs(Math.round(span * share)));
  return placeWindow(window.start + (share === 0 ? 0 : step), span, domain);
}

/** `window` with its span kept and `at` in the middle, within the domain. */
export function centreWindow(window: TimeWindow, at: number, domain: TimeWindow): TimeWindow {
  return placeWindow(at - spanOf(window) / 2, spanOf(window), domain);
}

/** A window that shows [start, end) with a tenth of a screen around it. */
export function frameWindow(start: number, end: number, domain: TimeWindow): TimeWindow {
  const span = Math.max(MIN_SPAN_NS, (end - start) * 1.2);
  return placeWindow((start + end) / 2 - span / 2, span, domain);
}

/** Whether [start, end) touches the window. An instant (start = end) counts when it lies inside. */
export function overlaps(window: TimeWindow, start: number, end: number): boolean {
  return start < window.end && (end > window.start || (start === end && start >= window.start));
}

/** The two points in ascending order, as whole units. */
export function windowBetween(a: number, b: number): TimeWindow {
  return a <= b ? { start: Math.round(a), end: Math.round(b) } : { start: Math.round(b), end: Math.round(a) };
}
