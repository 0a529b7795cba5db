import { useClock } from '../../../components/clock/useClock';
import { Fact, Hint, Strip } from '../../../components/strip/Strip';
import type { Measure } from '../../../lib/measure';
import { groupDigits, ns } from '../../../lib/ns';
import type { PointOfSeries, SeriesPlot } from '../../../components/series/series';

interface SeriesStripProps {
  /** Absent until it is known. */
  readonly plot: SeriesPlot | undefined;
  readonly point: PointOfSeries | undefined;
  /** How long the first of the worst cases took. */
  readonly worstNs: number | undefined;
}

/** The latency under the pointer; else the worst in sight, and how the plot is used. */
export function SeriesStrip({ plot, point, worstNs }: SeriesStripProps) {
  const shown = point ?? plot?.worst;
  return (
    <Strip testId="series-hover" isNeverEmpty>
      {plot &&
        (shown ? (
          <PointFacts plot={plot} {...shown} worstNs={worstNs} isPointed={point !== undefined} />
        ) : (
          <Nothing />
        ))}
      {point === undefined && (
        <Hint touch="drag to zoom · tap to open the case">
          drag or Ctrl+wheel to zoom · click to open the case
        </Hint>
      )}
    </Strip>
  );
}

const Nothing = () => <Hint>No samples in this window. Press F to show the whole trace.</Hint>;

interface PointFactsProps extends PointOfSeries {
  readonly plot: SeriesPlot;
  readonly worstNs: number | undefined;
  readonly isPointed: boolean;
}

function PointFacts({ plot, lane: row, index, worstNs, isPointed }: PointFactsProps) {
  const clock = useClock();
  const { lanes, measure, worstIs } = plot;
  const lane = lanes[row];
  const [t, duration, count] = [lane?.t[index], lane?.duration_ns[index], lane?.count[index] ?? 1];
  if (lane === undefined || t === undefined || duration === undefined) return null;
  return (
    <>
      <Fact
        name={
          isPointed ? measure.name : `${worstIs === 'smallest' ? worstIs : measure.largest} in this window`
        }
      >
        {valueText(measure, duration)}
      </Fact>
      {measure.isTime && duration > (worstNs ?? Infinity) && <Hint>{LISTED_LAST}</Hint>}
      <Fact name="CPU">{lane.cpu}</Fact>
      <Fact name="at">{clock.instant(ns(t))}</Fact>
      {count > 1 && <Fact name={`${measure.largest} of`}>{groupDigits(count)}</Fact>}
    </>
  );
}

/** Nothing else is longer than the worst. */
const LISTED_LAST = 'by a new task that began its sleep too late, so ranked last';

/** As people say it, and with every digit where that is not the same. */
function valueText({ text, exact }: Measure, value: number): string {
  return text(value) === exact(value) ? exact(value) : `${text(value)} (${exact(value)})`;
}
