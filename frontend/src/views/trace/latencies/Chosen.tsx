import { useClock } from '../../../components/clock/useClock';
import { Button } from '../../../components/button/Button';
import type { Clock } from '../../../lib/clock';
import { measureOf, unitOn } from '../../../lib/measure';
import { ns } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import type { NsRange } from '../../../viewState/fields';
import type { Stratum } from '../../../viewState/stratum';
import styles from './Chosen.module.css';
import { chosenBand, samplesText, type KindChartProps } from './shownKind';
import { useBandCount } from './useBandCount';

/**
 * What was chosen in one of the pictures, which the others and the list of cases follow; a click clears each. It stays
 * in sight with the pictures, and leads to the list, so that a choice need not take the picture away.
 */
export function Chosen({ trace, kind, state, setState, onShowCases }: KindChartProps) {
  const clock = useClock();
  const band = chosenBand(state);
  const count = useBandCount(trace.id, kind.request, state);
  const { window, stratum } = state;
  if (band === undefined && window === undefined && stratum === undefined) return null;
  return (
    <div className={styles.chosen} role="group" aria-label="Chosen">
      {band && (
        <Cleared
          text={bandText(band, kind.request.unit, clock)}
          how="show all durations again"
          onClick={() => setState({ band: undefined }, { history: 'push' })}
        />
      )}
      {stratum && (
        <Cleared
          text={stratumText(stratum)}
          how="show all samples again"
          onClick={() => setState({ stratum: undefined }, { history: 'push' })}
        />
      )}
      {window && (
        <Cleared
          text={clock.range(ns(window.start), ns(window.end))}
          how="show the whole trace again"
          onClick={() => setState({ window: undefined }, { history: 'push' })}
        />
      )}
      {state.worst === 'kind' && (
        <span className={styles.cases}>
          {count !== undefined && samplesText(count)}
          <Button look="bare" onClick={onShowCases}>
            Show the cases
          </Button>
        </span>
      )}
    </div>
  );
}

interface ClearedProps {
  readonly text: string;
  readonly how: string;
  readonly onClick: () => void;
}

const Cleared = ({ text, how, onClick }: ClearedProps) => (
  <Button label={`${text}: ${how}`} onClick={onClick}>
    {text} <span aria-hidden>×</span>
  </Button>
);

const STRATUM_WORDS = { cpu: 'CPU', pid: 'pid', comm: 'task', key: 'of' } as const;

const stratumText = ({ name, value }: Stratum) => `${STRATUM_WORDS[name]} ${visibleText(value)}`;

function bandText({ start, end }: NsRange, unit: string | undefined, clock: Clock): string {
  const { text } = measureOf(unitOn(clock, unit === 'none' ? 'none' : 'ns'));
  return end - start <= 1 ? text(start) : `${text(start)} to ${text(end - 1)}`;
}
