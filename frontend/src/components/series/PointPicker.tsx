import { useMemo, useState } from 'react';
import type { TimeWindow } from '../chart/timeWindow';
import { useElementSize } from '../chart/useElementSize';
import type { LiveWindow } from '../chart/useLiveWindow';
import { useWindowKeys } from '../chart/useWindowKeys';
import { useClock } from '../clock/useClock';
import { Fact, Hint, Strip } from '../strip/Strip';
import type { Clock } from '../../lib/clock';
import { unitOn } from '../../lib/measure';
import { ns, type Ns } from '../../lib/ns';
import { useKeys } from '../keys/keys';
import { POINT_KEYS } from './pointKeys';
import { EDGE_PX, findPoint, seriesPlot, type PointLane, type PointOfSeries } from './series';
import { SeriesChart } from './SeriesChart';

interface PointPickerProps {
  readonly label: string;
  readonly lanes: readonly PointLane[];
  /** Of the trace: as many rows have their room before it is known which have points. */
  readonly cpuCount?: number | undefined;
  readonly domain: TimeWindow;
  readonly live: LiveWindow;
  readonly abnormal?: string | undefined;
  readonly normal?: string | undefined;
  /** What a click does, for the line below the plot. */
  readonly hint: string;
  /** The same without a mouse. */
  readonly touchHint: string;
  readonly renderedMark: string | undefined;
  /** Of the plot alone: the line below it goes from edge to edge. */
  readonly plotClass?: string | undefined;
  readonly onPick: (id: string) => void;
}

const GUTTER_PX = 112;

/** Durations over time, a row for each CPU, of which single points are picked. */
export function PointPicker(props: PointPickerProps) {
  const { label, lanes, cpuCount, domain, live, abnormal, normal } = props;
  const clock = useClock();
  const unit = unitOn(clock);
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<{ readonly point?: PointOfSeries; readonly at: number }>();
  useWindowKeys(label, live, domain, hovered?.at);
  useKeys(label, POINT_KEYS);
  const plot = useMemo(
    () => seriesPlot({ lanes, cpuCount, unit }, live.window, 'log', []),
    [lanes, cpuCount, unit, live.window],
  );
  const pickedAs = (id: string | undefined, as: 'abnormal' | 'normal') => {
    const point = id === undefined ? undefined : findPoint(plot.lanes, id);
    return point === undefined ? [] : [{ point, as }];
  };
  const { lane: row, index } = hovered?.point ?? { lane: -1, index: -1 };
  const lane = plot.lanes[row];
  const [t, duration] = [lane?.t[index], lane?.duration_ns[index]];
  return (
    <>
      <div ref={attachSize} className={props.plotClass} style={{ minHeight: plot.heightPx }}>
        {size.width > 0 && (
          <SeriesChart
            plot={plot}
            width={Math.max(0, size.width - GUTTER_PX - EDGE_PX)}
            gutter={GUTTER_PX}
            domain={domain}
            live={live}
            hovered={hovered?.point}
            picked={[...pickedAs(abnormal, 'abnormal'), ...pickedAs(normal, 'normal')]}
            label={label}
            renderedMark={props.renderedMark}
            onHover={setHovered}
            onOpen={(point) => {
              const id = point && plot.lanes[point.lane]?.id[point.index];
              if (id !== undefined) props.onPick(id);
            }}
          />
        )}
      </div>
      <Strip testId="point-hover">
        {lane === undefined || t === undefined || duration === undefined ? (
          <Hint touch={props.touchHint}>
            {`${props.hint}, or use the arrow keys and Enter · drag to zoom · double-click to show all`}
          </Hint>
        ) : (
          <>
            <Fact name="duration">{lengthText(ns(duration), clock)}</Fact>
            <Fact name="CPU">{lane.cpu}</Fact>
            <Fact name="at">{clock.instant(ns(t))}</Fact>
          </>
        )}
      </Strip>
    </>
  );
}

/** As people say it and with every digit; what only counts has no other way to be said. */
const lengthText = (length: Ns, { isCounting, duration, exact }: Clock) =>
  isCounting ? exact(length) : `${duration(length)} (${exact(length)})`;
