import { Choice } from '../../components/toolbar/Choice';
import { visibleText } from '../../lib/visibleText';
import type { TrendState } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';

interface OrderChoiceProps {
  readonly runs: readonly { readonly labels: Readonly<Record<string, string>> }[];
  readonly by: string;
  readonly setState: SetViewState<TrendState>;
}

/** In which order the runs stand: as they were uploaded, or as the values of a label. */
export function OrderChoice({ runs, by, setState }: OrderChoiceProps) {
  const labels = new Set(runs.flatMap((run) => Object.keys(run.labels)));
  if (by !== '') labels.add(by);
  return (
    <Choice name="in order of" isNarrow>
      <select value={by} onChange={({ target }) => setState({ by: target.value }, { history: 'push' })}>
        <option value="">upload</option>
        {[...labels].toSorted().map((label) => (
          <option key={label} value={label}>
            {visibleText(label)}
          </option>
        ))}
      </select>
    </Choice>
  );
}
