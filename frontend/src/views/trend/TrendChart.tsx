import { useMemo, useState } from 'react';
import type { TrendPoint } from '../../api/trend';
import { Chart } from '../../components/chart/Chart';
import { ReadingSurface, ReadSlot } from '../../components/chart/ReadingSurface';
import { useElementSize } from '../../components/chart/useElementSize';
import { useKeys } from '../../components/keys/keys';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { useTheme } from '../../components/theme/theme';
import { groupDigits } from '../../lib/ns';
import { formatWhen } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import styles from './Trend.module.css';
import { trendOption } from './trendOption';
import { MARGIN, runAt, runByKey, STAT_NAMES, type TrendPlot } from './trendPlot';

interface TrendChartProps {
  readonly plot: TrendPlot;
  readonly renderedMark: string | undefined;
  readonly onOpen: (point: TrendPoint) => void;
}

/** The runs in their order; the arrow keys and the pointer go from run to run, Enter and a click open its worst case. */
export function TrendChart({ plot, renderedMark, onOpen }: TrendChartProps) {
  const { palette } = useTheme();
  const [size, attachSize] = useElementSize();
  const [at, setAt] = useState<number>();
  const option = useMemo(() => trendOption(plot, palette, size), [plot, palette, size]);
  const count = plot.points.length;
  const run = at === undefined ? undefined : plot.points[at];
  useKeys('Trend', KEYS);
  return (
    <>
      <div ref={attachSize} className={styles.chart}>
        {size.width > 0 && <Chart option={option} label={labelOf(plot)} renderedMark={renderedMark} />}
        <ReadingSurface
          label="Run"
          read={at}
          index={at}
          count={count}
          text={run && runText(plot, run)}
          place={MARGIN}
          pointTo={(pointer, { x: width }) => runAt(count, width, pointer.x)}
          keyTo={(key) => runByKey(key, at, count, plot.changes)}
          onRead={setAt}
          onOpen={() => run && onOpen(run)}
        >
          {at === undefined ? null : <ReadSlot left={at / count} width={1 / count} />}
        </ReadingSurface>
      </div>
      <Strip testId="trend-hover">
        {run === undefined ? (
          <Hint touch="tap a run for its worst case · dashed lines are changes">
            each point is a run · click it for its worst case · dashed lines are changes
          </Hint>
        ) : (
          <RunFacts plot={plot} run={run} number={(at ?? 0) + 1} />
        )}
      </Strip>
    </>
  );
}

const KEYS = [
  { keys: ['ArrowLeft', 'ArrowRight'], does: 'Next run, with the chart in focus' },
  { keys: ['PageUp', 'PageDown'], does: 'Next change' },
  { keys: ['Enter'], does: 'Open the worst case of the run' },
];

interface RunFactsProps {
  readonly plot: TrendPlot;
  readonly run: TrendPoint;
  readonly number: number;
}

function RunFacts({ plot, run, number }: RunFactsProps) {
  const { measure, lines } = plot;
  return (
    <>
      <Subject>{visibleText(run.name)}</Subject>
      <Fact name="run">{`${groupDigits(number)} (${visibleText(run.x)})`}</Fact>
      {lines.map(({ stat }) => (
        <Fact key={stat} name={STAT_NAMES[stat]}>
          {measure.text(run[stat])}
        </Fact>
      ))}
      <Fact name="samples">{groupDigits(run.count)}</Fact>
      <Fact name="uploaded">{formatWhen(run.uploaded_at)}</Fact>
      {run.lost_events ? <Fact name="events">lost</Fact> : null}
    </>
  );
}

function runText({ lines, measure }: TrendPlot, run: TrendPoint): string {
  const [followed] = lines;
  const number = followed ? `${STAT_NAMES[followed.stat]} ${measure.text(run[followed.stat])}` : '';
  return `${visibleText(run.name)}, ${visibleText(run.x)}, ${number}`;
}

function labelOf({ points, lines, changes, band }: TrendPlot): string {
  const stat = STAT_NAMES[lines[0]?.stat ?? 'p99_ns'];
  const held = band ? `, with the baseline ${visibleText(band.name)}` : '';
  return `${stat} of ${groupDigits(points.length)} runs, ${groupDigits(changes.length)} ${changes.length === 1 ? 'change' : 'changes'}${held}`;
}
