import { Fact, Hint, Strip } from '../../../components/strip/Strip';
import { durationText, exactIn, exactNs, groupDigits, ns } from '../../../lib/ns';
import type { PointOfSeries, SeriesPlot } from '../../../components/series/series';

interface SeriesStripProps {
  readonly plot: SeriesPlot;
  readonly point: PointOfSeries | undefined;
}

/** The latency under the pointer; else the longest in sight, and how the plot is used. */
export function SeriesStrip({ plot, point }: SeriesStripProps) {
  const { lane: row, index } = point ?? plot.worst ?? { lane: -1, index: -1 };
  const lane = plot.lanes[row];
  const [t, duration, count] = [lane?.t[index], lane?.duration_ns[index], lane?.count[index] ?? 1];
  return (
    <Strip testId="series-hover">
      {lane === undefined || t === undefined || duration === undefined ? (
        <Hint>Nothing of this kind in sight. F shows the whole trace.</Hint>
      ) : (
        <>
          <Fact name={point ? 'length' : 'longest in sight'}>
            {`${durationText(ns(duration))} (${exactNs(ns(duration))})`}
          </Fact>
          <Fact name="CPU">{lane.cpu}</Fact>
          <Fact name="at">{`${exactIn(ns(t), 's')}\u202fs`}</Fact>
          {count > 1 && <Fact name="the longest of">{groupDigits(count)}</Fact>}
        </>
      )}
      {point === undefined && <Hint>drag zooms · Ctrl-wheel zooms · a click opens the case</Hint>}
    </Strip>
  );
}
