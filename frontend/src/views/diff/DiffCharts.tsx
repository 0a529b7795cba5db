import { lazy, Suspense, type Ref } from 'react';
import type { LaneChartHandle } from '../../components/chart/LaneChart';
import { AXIS_HEIGHT_PX, sceneHeight } from '../../components/chart/laneScene';
import { ticksOf } from '../../components/chart/timeTicks';
import { useElementSize } from '../../components/chart/useElementSize';
import { useClock } from '../../components/clock/useClock';
import { Loading } from '../../components/Loading';
import styles from './DiffCharts.module.css';
import { Joins } from './Joins';
import { useDiffCharts, type DiffChartsInput } from './useDiffCharts';

// The chart library is large, and neither the sentence at the top nor the lists wait for it.
const LaneChart = lazy(async () => ({
  default: (await import('../../components/chart/LaneChart')).LaneChart,
}));

interface DiffChartsProps extends DiffChartsInput {
  readonly hovered: number | undefined;
  readonly onHover: (row: number | undefined) => void;
  readonly onSelect: (row: number | undefined) => void;
  /** Rows that are always joined. */
  readonly joined: readonly number[];
  readonly label: string;
  readonly renderedMark: string | undefined;
  readonly chart: Ref<LaneChartHandle>;
}

/** For the names of the sides and how long they took; where there is little room, only for the names. */
const GUTTER_PX = { wide: 192, narrow: 104 } as const;
const WIDE_FROM_PX = 640;

/**
 * Both sides above each other on one time scale, each from the start of its own root. Their box has its height before
 * the chart library is there, so that nothing below moves away from under the pointer.
 */
export function DiffCharts({ chart, ...props }: DiffChartsProps) {
  const [size, attachSize] = useElementSize();
  const clock = useClock();
  const isNarrow = size.width < WIDE_FROM_PX;
  const { drawing, domain, live, rowAt, setAt } = useDiffCharts(props, isNarrow);
  return (
    <div
      ref={attachSize}
      className={styles.charts}
      style={{ height: sceneHeight(drawing.scene) + AXIS_HEIGHT_PX + 4 }}
    >
      <Suspense fallback={<Loading what="the charts" />}>
        <LaneChart
          ref={chart}
          scene={drawing.scene}
          window={live.window}
          domain={domain}
          ticksFor={ticksOf(clock)}
          label={props.label}
          renderedMark={props.renderedMark}
          gutter={isNarrow ? GUTTER_PX.narrow : GUTTER_PX.wide}
          isInPage
          onWindow={live.move}
          onSettled={live.settle}
          onArea={live.move}
          onHover={(hit) => {
            setAt(hit?.at);
            props.onHover(rowAt(hit));
          }}
          onPick={(hit) => props.onSelect(rowAt(hit))}
          onOpen={() => live.jump(domain)}
          renderOver={(place) => (
            <Joins
              drawing={drawing}
              window={live.window}
              place={place}
              joined={props.joined}
              hovered={props.hovered}
              selected={props.state.row}
            />
          )}
        />
      </Suspense>
    </div>
  );
}
