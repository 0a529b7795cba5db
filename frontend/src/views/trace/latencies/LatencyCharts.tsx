import { Chosen } from './Chosen';
import { hasNoTimes } from '../../../lib/measurement';
import { DistributionPanel } from './DistributionPanel';
import styles from './LatencyPanels.module.css';
import { SeriesPanel } from './SeriesPanel';
import type { KindChartProps } from './shownKind';
import { TailPanel } from './tail/TailPanel';

/** One kind of latency over time and as a distribution, both of the same stretch, and what its tail is made of. */
export default function LatencyCharts(props: KindChartProps) {
  const { trace, kind } = props;
  return (
    <>
      <Chosen {...props} />
      <div className={styles.pair} data-apart={!kind.has_tail}>
        {hasNoTimes(trace, kind.count) ? null : <SeriesPanel {...props} />}
        <DistributionPanel {...props} />
        {kind.request.field === undefined && !trace.is_measurement && <TailPanel {...props} />}
      </div>
    </>
  );
}
