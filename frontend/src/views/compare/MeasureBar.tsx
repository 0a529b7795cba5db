import type { CompareRequest, OfferedMeasure } from '../../api/compare';
import { Toolbar } from '../../components/toolbar/Toolbar';
import { groupDigits } from '../../lib/ns';
import type { CompareState } from '../../viewState/compare';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Compare.module.css';
import { measureName } from './measureName';

interface MeasureBarProps {
  readonly measures: readonly OfferedMeasure[];
  readonly asked: CompareRequest;
  readonly setState: SetViewState<CompareState>;
}

/** By what the variants are compared, and of which CPU. */
export function MeasureBar({ measures, asked, setState }: MeasureBarProps) {
  const shown = measures.find(({ kind, key }) => kind === asked.kind && key === asked.key);
  const choose = (at: number) => {
    const chosen = measures[at];
    if (chosen) setState({ kind: chosen.kind, key: chosen.key ?? '' }, { history: 'push' });
  };
  return (
    <Toolbar>
      <label className={styles.choice}>
        compare
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
      </label>
      {shown ? (
        <span className={styles.quiet}>
          {`${groupDigits(shown.samples)} samples in ${groupDigits(shown.traces)} traces`}
        </span>
      ) : null}
      {asked.key === null ? <CpuChoice cpu={asked.cpu} setState={setState} /> : null}
    </Toolbar>
  );
}

interface CpuChoiceProps {
  readonly cpu: number | undefined;
  readonly setState: SetViewState<CompareState>;
}

/** Sums are kept of each CPU, so that one of them can be compared alone. */
function CpuChoice({ cpu, setState }: CpuChoiceProps) {
  const apply = (text: string) => {
    const typed = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : undefined;
    if (typed !== cpu) setState({ cpu: typed }, { history: 'push' });
  };
  return (
    <label className={styles.choice}>
      on CPU
      <input
        key={cpu}
        className={styles.cpu}
        defaultValue={cpu}
        inputMode="numeric"
        placeholder="all"
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </label>
  );
}
