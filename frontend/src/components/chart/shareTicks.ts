import type { AxisTicks } from './timeTicks';
import { spanOf, type TimeWindow } from './timeWindow';

const LABEL_PX = 80;
const EDGE_PX = 20;

/** Ticks in per cent of `total`, for axes whose width is a share and not a time. */
export function shareTicks(total: number): (window: TimeWindow, width: number) => AxisTicks {
  return (window, width) => {
    const wanted = Math.max(1e-6, (100 * spanOf(window) * LABEL_PX) / total / Math.max(1, width));
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const margin = (spanOf(window) * EDGE_PX) / Math.max(1, width);
    const at = [];
    const last = Math.floor((100 * window.end) / total / step);
    for (let index = Math.ceil((100 * window.start) / total / step); index <= last; index += 1) {
      const value = (index * step * total) / 100;
      const isCut = Math.min(value - window.start, window.end - value) < margin;
      at.push({ value, label: isCut ? '' : `${(index * step).toFixed(digits)}\u202f%` });
    }
    return { at };
  };
}
