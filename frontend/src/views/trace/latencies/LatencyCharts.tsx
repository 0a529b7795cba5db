import type { LatencyKind } from '../../../api/latencyTypes';
import type { Trace } from '../../../api/types';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { DistributionPanel } from './DistributionPanel';
import { SeriesPanel } from './SeriesPanel';

interface LatencyChartsProps {
  readonly trace: Trace;
  readonly kind: LatencyKind;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
}

/** One kind of latency over time and as a distribution, both of the same stretch. */
export default function LatencyCharts(props: LatencyChartsProps) {
  return (
    <>
      <SeriesPanel {...props} />
      <DistributionPanel {...props} />
    </>
  );
}
