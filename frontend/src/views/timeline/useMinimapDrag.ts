import { useRef, type PointerEvent, type RefObject } from 'react';
import { placeWindow, spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';

type Grip = 'move' | 'start' | 'end';

const GRIP_PX = 6;

/** What the pointer does to the frame of the minimap: drags it or an edge of it, or calls it to where it points. */
export function useMinimapDrag(strip: RefObject<HTMLElement | null>, { domain, live }: TraceWindow) {
  const { window, move, settle } = live;
  const held = useRef<{ grip: Grip; x: number; window: TimeWindow }>(undefined);
  const perPixel = () => spanOf(domain) / Math.max(1, strip.current?.clientWidth ?? 1);
  const pixelOf = (at: number) => (at - domain.start) / perPixel();

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || strip.current === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const x = event.clientX - strip.current.getBoundingClientRect().left;
    const grip = gripAt(x, pixelOf(window.start), pixelOf(window.end));
    let from = window;
    if (grip === undefined) {
      from = placeWindow(domain.start + x * perPixel() - spanOf(window) / 2, spanOf(window), domain);
      move(from);
    }
    held.current = { grip: grip ?? 'move', x: event.clientX, window: from };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (held.current === undefined) return;
    move(dragged(held.current, (event.clientX - held.current.x) * perPixel(), domain));
  };
  const onPointerUp = () => {
    if (held.current) settle();
    held.current = undefined;
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}

function gripAt(x: number, from: number, to: number): Grip | undefined {
  if (x < from - GRIP_PX || x > to + GRIP_PX) return undefined;
  // A frame of a few pixels is only good for moving.
  if (to - from < 4 * GRIP_PX) return 'move';
  if (x < from + GRIP_PX) return 'start';
  return x > to - GRIP_PX ? 'end' : 'move';
}

function dragged(
  { grip, window }: { grip: Grip; window: TimeWindow },
  by: number,
  domain: TimeWindow,
): TimeWindow {
  if (grip === 'move') return placeWindow(window.start + by, spanOf(window), domain);
  if (grip === 'end') return placeWindow(window.start, spanOf(window) + by, domain);
  const start = Math.min(window.end - 1, Math.max(domain.start, window.start + by));
  return placeWindow(start, window.end - start, domain);
}
