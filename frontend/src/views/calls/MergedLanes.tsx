import {
  LaneChart,
  type LaneChartHandle,
  type LaneChartProps,
  type LaneHit,
} from '../../components/chart/LaneChart';
import type { useLiveWindow } from '../../components/chart/useLiveWindow';

/** What merged calls are drawn from, by stack or around a function. */
interface MergedChart extends Pick<LaneChartProps, 'scene' | 'domain' | 'ticksFor'> {
  readonly live: ReturnType<typeof useLiveWindow>;
  readonly selected: LaneHit | undefined;
}

interface MergedLanesProps extends Pick<
  LaneChartProps,
  'label' | 'renderedMark' | 'gutter' | 'hovered' | 'onHover' | 'onPick' | 'onOpen'
> {
  readonly drawn: MergedChart;
  readonly chart: React.Ref<LaneChartHandle>;
}

/** Merged calls as lanes. How one pans around in them is not in the URL. */
export function MergedLanes({ drawn, chart, ...props }: MergedLanesProps) {
  const { scene, domain, ticksFor, live, selected } = drawn;
  return (
    <LaneChart
      {...{ scene, domain, ticksFor, selected }}
      {...props}
      ref={chart}
      window={live.window}
      onWindow={live.move}
      onSettled={live.settle}
      onArea={live.move}
    />
  );
}
