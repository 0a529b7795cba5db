import { DistributionPanel } from './DistributionPanel';
import styles from './LatencyPanels.module.css';
import { SeriesPanel } from './SeriesPanel';
import type { KindChartProps } from './shownKind';

/** One kind of latency over time and as a distribution, both of the same stretch. */
export default function LatencyCharts(props: KindChartProps) {
  return (
    <div className={styles.pair}>
      <SeriesPanel {...props} />
      <DistributionPanel {...props} />
    </div>
  );
}
