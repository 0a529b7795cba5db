import { useMemo } from 'react';
import { Chart } from '../chart/Chart';
import { useElementSize } from '../chart/useElementSize';
import { Fact, Hint, Strip } from '../strip/Strip';
import { useTheme } from '../theme/theme';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { stretchOf, type Stretch } from './choosing';
import { useChoosing } from './useChoosing';
import type { NsRange } from '../../viewState/fields';
import { countAt, readCurve, shareAtNines, type Curve, type DistributionPlot } from './distribution';
import { distributionOption, marginOf } from './distributionOption';
import styles from './DistributionChart.module.css';
import { durationAt } from '../series/durationAxis';

interface DistributionChartProps {
  readonly plot: DistributionPlot;
  readonly label: string;
  readonly renderedMark: string | undefined;
  /** The durations whose cases are listed. */
  readonly chosen?: NsRange | undefined;
  /** A click on a bar or a stretch that is drawn out; absent where nothing can be chosen. */
  readonly onChoose?: (range: NsRange | undefined) => void;
}

/** The curves, and under them what they say where the pointer is. */
export function DistributionChart({ plot, label, renderedMark, chosen, onChoose }: DistributionChartProps) {
  const theme = useTheme();
  const [size, attachSize] = useElementSize();
  const margin = marginOf(plot, size.width);
  const width = Math.max(1, size.width - margin.left - margin.right);
  const height = Math.max(1, size.height - margin.top - margin.bottom);
  const boxWidth = size.width;
  const option = useMemo(
    () => distributionOption(plot, theme.name, theme.palette, 0, { width, height, boxWidth }),
    [plot, theme, width, height, boxWidth],
  );
  const { x, draft, handlers } = useChoosing(plot, width, onChoose);
  const shown = draft ?? chosen;
  return (
    <>
      <div ref={attachSize} className={styles.chart}>
        {size.width > 0 && <Chart option={option} label={label} renderedMark={renderedMark} />}
        <div
          className={styles.surface}
          style={margin}
          {...handlers}
          {...(onChoose && { 'aria-label': `${label}. ${KEYS}` })}
        >
          {shown && <div className={styles.chosen} style={styleOf(stretchOf(plot, shown))} data-chosen />}
          {x !== undefined && <div className={styles.line} style={{ left: `${100 * shareOf(plot, x)}%` }} />}
        </div>
      </div>
      <Strip testId="distribution-hover">
        {x === undefined ? (
          <Hint touch={hintText(plot)}>
            {`${hintText(plot)}${onChoose ? CHOOSE[plot.form] : READ[plot.form]}`}
          </Hint>
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

const KEYS =
  'Arrow keys read values, Shift and arrow keys select a range, Enter lists its cases, Escape clears the selection.';

const CHOOSE = {
  histogram: ' · click a bar or draw out a stretch to list its cases',
  percentiles: ' · click to list the cases from there on, or draw out a stretch',
  shelves: ' · click to list the cases from there on, or draw out a stretch',
} as const;

const shareOf = ({ x: { min, max } }: DistributionPlot, x: number) => (x - min) / (max - min);

const styleOf = ({ axis, from, to }: Stretch) => {
  const [start, length] = [`${100 * from}%`, `${100 * (to - from)}%`];
  return axis === 'x'
    ? { left: start, width: length, top: 0, bottom: 0 }
    : { bottom: start, height: length, left: 0, right: 0 };
};

/** What the pointer does where nothing can be chosen; both together would not fit on a phone. */
const READ = {
  histogram: ' · hover over a bar for its count',
  percentiles: ' · hover over the curve to read it',
  shelves: '',
} as const;

const HINTS = {
  histogram: (values: string) => `samples by ${values}`,
  percentiles: (values: string) => `the ${values} that a share of the samples stays below`,
  shelves: () => 'sorted samples: flat on a quiet machine, a slope on a noisy one',
} as const;

function hintText({ form, measure, y }: DistributionPlot): string {
  const hint = HINTS[form](measure.axis);
  return y.cut === undefined ? hint : `${hint} · cut off below ${measure.text(y.cut)}`;
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
