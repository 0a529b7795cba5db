import type { ChartProps } from '../chart/Chart';

/** Stands in for the canvas, which jsdom does not have: says what would be painted. */
export function Chart({ label, renderedMark }: ChartProps) {
  return <div role="img" aria-label={label} data-rendered={renderedMark} />;
}
