import { useMemo, useState } from 'react';
import { CauseSwatch } from '../../../../components/cause/Cause';
import { causeName } from '../../../../components/cause/causeLook';
import { Chart } from '../../../../components/chart/Chart';
import { Fact, Hint, Strip, Subject } from '../../../../components/strip/Strip';
import { useClock } from '../../../../components/clock/useClock';
import { useTheme } from '../../../../components/theme/theme';
import type { Clock } from '../../../../lib/clock';
import { ns } from '../../../../lib/ns';
import { percentText } from '../../../../lib/percent';
import { visibleText } from '../../../../lib/visibleText';
import type { NsRange } from '../../../../viewState/fields';
import { samplesText } from '../shownKind';
import styles from './TailPanel.module.css';
import type { ShownBand } from './shownBands';
import { TAIL_MARGIN, tailOption } from './tailOption';
import { largestCauses, rangeOf, type TailPlot } from './tailPlot';

interface TailChartProps {
  readonly plot: TailPlot;
  readonly label: string;
  /** The durations whose cases are listed. */
  readonly chosen: NsRange | undefined;
  readonly onChoose: (range: NsRange | undefined) => void;
}

/** The bands with their causes; each is a button that lists its cases. Under them, what the band that is pointed at says. */
export function TailChart({ plot, label, chosen, onChoose }: TailChartProps) {
  const theme = useTheme();
  const clock = useClock();
  const [pointed, setPointed] = useState<number>();
  const option = useMemo(() => tailOption(plot, theme), [plot, theme]);
  const shown =
    plot.bands[pointed ?? -1] ??
    plot.bands.find(({ band }) => isChosen(band, chosen) || band.name === CHOSEN);
  return (
    <>
      <div className={styles.chart}>
        <Chart option={option} label={label} renderedMark={label} />
        <div className={styles.bands} style={TAIL_MARGIN} onPointerLeave={() => setPointed(undefined)}>
          {plot.bands.map(({ band, left, right }, index) => (
            <button
              key={band.name}
              type="button"
              className={styles.band}
              style={{ left: `${(100 * left) / plot.end}%`, width: `${(100 * (right - left)) / plot.end}%` }}
              aria-label={`Cases of ${bandText(band, clock)}`}
              aria-pressed={isChosen(band, chosen) || band.name === CHOSEN}
              onPointerOver={() => setPointed(index)}
              onFocus={() => setPointed(index)}
              onBlur={() => setPointed(undefined)}
              onClick={() =>
                onChoose(isChosen(band, chosen) || band.name === CHOSEN ? undefined : rangeOf(band))
              }
            />
          ))}
        </div>
      </div>
      <Strip testId="tail-hover">
        {shown === undefined ? (
          <Hint touch="causes, ordinary to slow · tap a band to list its cases">
            what took the time of ordinary and of slow samples · click a band to list its cases
          </Hint>
        ) : (
          <BandFacts band={shown.band} />
        )}
      </Strip>
    </>
  );
}

/** What the server calls the durations that were asked for. */
const CHOSEN = 'chosen';

const isChosen = (band: ShownBand, chosen: NsRange | undefined) =>
  chosen !== undefined && chosen.start === band.min_ns && chosen.end === band.max_ns + 1;

/** `99-99.9 %: 90 samples, 21.00 µs to 94.00 µs`. */
export function bandText({ name, count, min_ns, max_ns }: ShownBand, clock: Clock): string {
  const [least, most] = [clock.duration(ns(min_ns)), clock.duration(ns(max_ns))];
  return `${name}: ${samplesText(count)}, ${least === most ? least : `${least} to ${most}`}`;
}

const LARGEST = 4;

function BandFacts({ band }: { readonly band: ShownBand }) {
  const { duration } = useClock();
  return (
    <>
      <Subject>{band.name}</Subject>
      <Hint>{samplesText(band.count)}</Hint>
      {largestCauses(band, LARGEST).map(({ cause, what, duration_ns }) => (
        <span
          key={`${cause} ${what}`}
          className={styles.cause}
          title={`${causeName(cause)} ${visibleText(what)}: ${duration(ns(duration_ns))} of ${duration(ns(band.total_ns))}`}
        >
          <CauseSwatch cause={cause} what={cause === 'task' || cause === 'itself' ? `${what}-0` : what} />
          {`${percentText(duration_ns, band.total_ns)} ${visibleText(what)}`}
        </span>
      ))}
      <Fact name="from">{duration(ns(band.min_ns))}</Fact>
      <Fact name="to">{duration(ns(band.max_ns))}</Fact>
    </>
  );
}
