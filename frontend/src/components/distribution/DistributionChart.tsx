import { useMemo, useState, type PointerEvent } from 'react';
import { Chart } from '../chart/Chart';
import { useElementSize } from '../chart/useElementSize';
import { Fact, Hint, Strip } from '../strip/Strip';
import { useTheme } from '../theme/theme';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { countAt, readCurve, shareAtNines, type Curve, type DistributionPlot } from './distribution';
import { distributionOption, MARGIN } from './distributionOption';
import styles from './DistributionChart.module.css';
import { durationAt } from '../series/durationAxis';

interface DistributionChartProps {
  readonly plot: DistributionPlot;
  readonly label: string;
  readonly renderedMark: string | undefined;
}

/** The curves, and under them what they say where the pointer is. */
export function DistributionChart({ plot, label, renderedMark }: DistributionChartProps) {
  const theme = useTheme();
  const [size, attachSize] = useElementSize();
  const [pointed, setPointed] = useState<number>();
  const option = useMemo(() => distributionOption(plot, theme.name, theme.palette), [plot, theme]);
  const width = Math.max(1, size.width - MARGIN.left - MARGIN.right);
  const x = pointed === undefined ? undefined : plot.x.min + (pointed / width) * (plot.x.max - plot.x.min);
  const point = (event: PointerEvent<HTMLElement>) =>
    setPointed(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <>
      <div ref={attachSize} className={styles.chart}>
        <Chart option={option} label={label} renderedMark={renderedMark} />
        <div
          className={styles.surface}
          style={MARGIN}
          onPointerMove={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          {pointed !== undefined && <div className={styles.line} style={{ left: pointed }} />}
        </div>
      </div>
      <Strip testId="distribution-hover">
        {x === undefined ? (
          <Hint>{hintText(plot)}</Hint>
        ) : (
          <>
            <Fact name="at">{placeText(plot, x)}</Fact>
            {plot.curves.map((curve) => (
              <Fact key={curve.label} name={visibleText(curve.label)}>
                {valueText(plot, curve, x)}
              </Fact>
            ))}
          </>
        )}
      </Strip>
    </>
  );
}

const HINTS = {
  histogram: 'samples by duration · hover over a bar for its count',
  percentiles: 'the time that a share of the samples stays below · hover over the curve to read it',
  shelves: 'all samples, sorted: a quiet machine shows long flat shelves, a noisy one a slope',
} as const;

function hintText({ form, measure, y }: DistributionPlot): string {
  return y.cut === undefined ? HINTS[form] : `${HINTS[form]} · cut off below ${measure.text(y.cut)}`;
}

function placeText(plot: DistributionPlot, x: number): string {
  if (plot.form === 'histogram') return plot.measure.text(durationAt(x, plot.xScale));
  if (plot.form === 'shelves') return `${(x * 100).toFixed(1)}\u202f% of the samples`;
  return `p${(shareAtNines(x) * 100).toFixed(Math.max(1, Math.ceil(x)))}`;
}

function valueText(plot: DistributionPlot, curve: Curve, x: number): string {
  const value = readCurve(curve, x);
  if (value === undefined) return '–';
  if (plot.form === 'histogram') return groupDigits(countAt(value));
  return plot.measure.text(durationAt(value, plot.yScale));
}
