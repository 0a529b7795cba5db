import { useKeys } from '../keys/keys';
import { panWindow, zoomWindow, type TimeWindow } from './timeWindow';
import type { LiveWindow } from './useLiveWindow';

const ZOOM_STEP = 0.8;
const PAN_STEP = 0.1;

/**
 * The keys that move a window, as people know them from other trace viewers. `anchor` is the time under the
 * pointer, towards which zooming goes; `onFit` may know something better to fit than everything.
 */
export function useWindowKeys(
  title: string,
  live: LiveWindow,
  domain: TimeWindow,
  anchor: number | undefined,
  onFit: () => void = () => live.jump(domain),
): void {
  const { start, end } = live.window;
  const share =
    anchor !== undefined && anchor >= start && anchor <= end ? (anchor - start) / (end - start) : 0.5;
  const zoom = (factor: number) => live.move(zoomWindow(live.window, factor, share, domain));
  const pan = (by: number) => live.move(panWindow(live.window, by, domain));
  useKeys(title, [
    { keys: ['w', 'W'], does: 'Zoom in at the pointer', run: () => zoom(ZOOM_STEP) },
    { keys: ['s', 'S'], does: 'Zoom out', run: () => zoom(1 / ZOOM_STEP) },
    { keys: ['a'], does: 'Pan to earlier', run: () => pan(-PAN_STEP) },
    { keys: ['d'], does: 'Pan to later', run: () => pan(PAN_STEP) },
    { keys: ['A'], does: 'One screen earlier', run: () => pan(-0.9) },
    { keys: ['D'], does: 'One screen later', run: () => pan(0.9) },
    { keys: ['f', 'F'], does: 'Fit the selection, or everything', run: onFit },
    { keys: ['Home'], does: 'Fit everything', run: () => live.jump(domain) },
  ]);
}
