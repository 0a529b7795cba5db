import type { SeriesPlot } from '../../../components/series/series';

/** One point of the plot as a row of its table. */
export interface PointRow {
  readonly id: string;
  readonly cpu: number;
  readonly t: number;
  readonly duration_ns: number;
  /** Samples that the point stands for. */
  readonly count: number;
}

/** The points inside the plot's window, longest first, earlier first among equals. */
export function pointRows({ lanes, window }: Pick<SeriesPlot, 'lanes' | 'window'>): readonly PointRow[] {
  return lanes
    .flatMap(({ cpu, t, duration_ns, count, id }) =>
      t.map((at, index) => ({
        id: id[index] ?? '',
        cpu,
        t: at,
        duration_ns: duration_ns[index] ?? 0,
        count: count[index] ?? 1,
      })),
    )
    .filter(({ t }) => t >= window.start && t <= window.end)
    .toSorted((a, b) => b.duration_ns - a.duration_ns || a.t - b.t);
}
