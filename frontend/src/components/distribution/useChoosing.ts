import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { NsRange } from '../../viewState/fields';
import { rangeBetween, stepFrom } from './choosing';
import type { DistributionPlot } from './distribution';

/** A press that moves less is a click. */
const CLICK_PX = 3;

interface Place {
  /** Where a press or Shift began; absent while nothing is drawn out. */
  readonly from?: number;
  readonly x: number;
}

/**
 * What the pointer and the keys do on a distribution: read it where they are, and choose a stretch of it. Arrows step,
 * with Shift they draw out a stretch, Enter chooses and Escape clears.
 */
export function useChoosing(
  plot: DistributionPlot,
  width: number,
  onChoose: ((range: NsRange | undefined) => void) | undefined,
) {
  const [place, setPlace] = useState<Place>();
  const perPx = (plot.x.max - plot.x.min) / width;
  const xOf = (event: PointerEvent<HTMLElement>) =>
    plot.x.min + (event.clientX - event.currentTarget.getBoundingClientRect().left) * perPx;
  const choose = ({ from, x }: Place) => {
    const isClick = from === undefined || Math.abs(x - from) < CLICK_PX * perPx;
    onChoose?.(rangeBetween(plot, isClick ? x : from, x));
    setPlace({ x });
  };
  const step = (by: 1 | -1, extends_: boolean) => {
    const x = stepFrom(plot, place?.x, by);
    setPlace(extends_ ? { from: place?.from ?? place?.x ?? x, x } : { x });
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowLeft: (event) => step(-1, event.shiftKey),
    ArrowRight: (event) => step(1, event.shiftKey),
    Enter: () => place && choose(place),
    Escape: () => {
      setPlace(undefined);
      onChoose?.(undefined);
    },
  };
  const pointing = {
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const x = xOf(event);
      setPlace((before) => (event.buttons & 1 && before?.from !== undefined ? { ...before, x } : { x }));
    },
    onPointerLeave: () => setPlace((before) => (before?.from === undefined ? undefined : before)),
  };
  const choosing = onChoose && {
    tabIndex: 0,
    role: 'application' as const,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const x = xOf(event);
      setPlace({ from: x, x });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (place?.from !== undefined) choose({ from: place.from, x: xOf(event) });
    },
    onPointerCancel: () => setPlace(undefined),
    onBlur: () => setPlace(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      const run = keys[event.key];
      if (run === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      run(event);
    },
  };
  const draft = place?.from === undefined ? undefined : rangeBetween(plot, place.from, place.x);
  return { x: place?.x, draft, handlers: { ...pointing, ...choosing } };
}
