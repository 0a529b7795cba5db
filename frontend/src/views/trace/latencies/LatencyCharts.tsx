import type { Trace } from '../../../api/types';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { DistributionPanel } from './DistributionPanel';
import { SeriesPanel } from './SeriesPanel';
import type { ShownKind } from './shownKind';

interface LatencyChartsProps {
  readonly trace: Trace;
  readonly kind: ShownKind;
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
