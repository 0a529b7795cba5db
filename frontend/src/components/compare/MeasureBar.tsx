import type { ReactNode } from 'react';
import { groupDigits } from '../../lib/ns';
import type { ViewStateChange } from '../../viewState/useViewState';
import { Choice } from '../toolbar/Choice';
import { Toolbar } from '../toolbar/Toolbar';
import styles from './MeasureBar.module.css';
import { filterText, type SampleFilter } from './filterText';
import { measureName, type MeasureKey } from './measureName';

interface OfferedMeasure extends MeasureKey {
  readonly samples: number;
  readonly traces: number;
}

interface MeasureState {
  readonly kind: string;
  readonly key: string;
  readonly cpu: number | undefined;
}

type SetMeasure = (patch: Partial<MeasureState>, change: ViewStateChange) => void;

interface MeasureBarProps {
  /** What is done with the measure: `compare`. */
  readonly verb: string;
  readonly measures: readonly OfferedMeasure[];
  readonly asked: MeasureKey & SampleFilter;
  readonly setState: SetMeasure;
  readonly children?: ReactNode;
}

/** Which measure of several traces is meant, and of which CPU. */
export function MeasureBar({ verb, measures, asked, setState, children }: MeasureBarProps) {
  const shown = measures.find(({ kind, key }) => kind === asked.kind && key === asked.key);
  const choose = (at: number) => {
    const chosen = measures[at];
    if (chosen) setState({ kind: chosen.kind, key: chosen.key ?? '' }, { history: 'push' });
  };
  return (
    <Toolbar wraps>
      <Choice name={verb}>
        <select
          value={shown ? measures.indexOf(shown) : ''}
          onChange={({ target }) => choose(Number(target.value))}
        >
          {shown ? null : <option value="">{asked.key ?? asked.kind}</option>}
          {measures.map((measure, at) => (
            <option key={measureName(measure)} value={at}>
              {measureName(measure)}
            </option>
          ))}
        </select>
      </Choice>
      {shown ? (
        <span className={styles.quiet}>
          {`${filterText(asked) === undefined ? '' : 'some of '}${counted(shown.samples, 'sample')} in ${counted(shown.traces, 'trace')}`}
        </span>
      ) : null}
      {asked.key === null ? <CpuChoice cpu={asked.cpu} setState={setState} /> : null}
      {children}
    </Toolbar>
  );
}

interface CpuChoiceProps {
  readonly cpu: number | undefined;
  readonly setState: SetMeasure;
}

/** Sums are kept of each CPU, so that a single one can be compared. */
function CpuChoice({ cpu, setState }: CpuChoiceProps) {
  const apply = (text: string) => {
    const typed = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : undefined;
    if (typed !== cpu) setState({ cpu: typed }, { history: 'push' });
  };
  return (
    <Choice name="on CPU">
      <input
        key={cpu}
        className={styles.cpu}
        defaultValue={cpu}
        inputMode="numeric"
        placeholder="all"
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </Choice>
  );
}

/** `1 sample`, `3,000 samples` */
const counted = (count: number, what: string) => `${groupDigits(count)} ${what}${count === 1 ? '' : 's'}`;
