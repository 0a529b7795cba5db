import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { baselineQuery, baselinesQuery, deleteBaseline, type BaselineItem } from '../../api/baselines';
import type { TrendRequest } from '../../api/trend';
import { Button } from '../../components/button/Button';
import { keptTo, samplesTexts } from '../../components/experiment/baselineTexts';
import { DeleteBaselineDialog } from '../../components/experiment/DeleteBaselineDialog';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Choice } from '../../components/toolbar/Choice';
import { ViewLink } from '../../components/ViewLink';
import { labelText } from '../../lib/label';
import { countText, groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { experimentsState } from '../../viewState/experiments';
import { paths } from '../../viewState/paths';
import type { TrendState } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import { SaveBaseline } from './SaveBaseline';
import styles from './Trend.module.css';

interface BaselineBarProps {
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
  /** The classes of tasks that the runs keep to, chosen or not. */
  readonly shown: TrendRequest['priority'];
}

/** The baseline that is drawn behind the runs; these runs are saved as one, and one is deleted. */
export function BaselineBar({ state, setState, shown }: BaselineBarProps) {
  const [asked, setAsked] = useState<'save' | 'delete'>();
  const list = useQuery(baselinesQuery);
  const items = list.data?.items ?? [];
  const { baseline: slug, labels, traces } = state;
  const known = items.find((one) => one.slug === slug);
  const choose = (baseline: string) => {
    const chosen = items.find((one) => one.slug === baseline);
    setState({ baseline, ...(chosen && keptTo(chosen.where)) }, { history: 'push' });
  };
  const remove = async () => {
    await deleteBaseline(slug);
    choose('');
  };
  return (
    <div className={styles.bar}>
      <Choice name="baseline" isNarrow>
        <select value={slug} onChange={({ target }) => choose(target.value)}>
          <option value="">none</option>
          {slug === '' || known ? null : <option value={slug}>{slug}</option>}
          {items.map((one) => (
            <option key={one.slug} value={one.slug}>
              {visibleText(one.name)}
            </option>
          ))}
        </select>
      </Choice>
      {slug === '' ? null : <ChosenBaseline slug={slug} onDelete={() => setAsked('delete')} />}
      {known && !isKeptTo(known.where, { ...state, priority: shown }) ? (
        <span className={styles.quiet}>
          {`It holds ${samplesTexts(known.where).join(', ')}. `}
          <Button look="bare" onClick={() => setState(keptTo(known.where), { history: 'push' })}>
            Show those
          </Button>
        </span>
      ) : null}
      <Button onClick={() => setAsked('save')}>Save as baseline</Button>
      {items.length > 0 ? (
        <ViewLink to={paths.experiments()} search={experimentsState.write({ show: 'baselines', q: '' })}>
          All baselines
        </ViewLink>
      ) : null}
      <FailedQuery query={list} />
      {asked === 'save' ? (
        <SaveBaseline
          title="Save these runs as baseline"
          name={labels.map(labelText).join(' ') || countText(traces.length, 'run')}
          runs={state}
          samples={{ cpu: state.cpu, comm: state.comm, priority: shown }}
          onSaved={(baseline) => setState({ baseline, priority: shown }, { history: 'push' })}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      {asked === 'delete' ? (
        <DeleteBaselineDialog slug={slug} onDelete={remove} onClose={() => setAsked(undefined)} />
      ) : null}
    </div>
  );
}

/** Whether the page keeps to what a baseline holds: of other samples, no check can be decided. */
function isKeptTo(
  where: BaselineItem['where'],
  shown: Pick<TrendRequest, 'cpu' | 'comm' | 'priority'>,
): boolean {
  const { cpu = shown.cpu, comm = shown.comm, priority = shown.priority } = keptTo(where);
  return cpu === shown.cpu && comm === shown.comm && priority.join(',') === shown.priority.join(',');
}

interface ChosenBaselineProps {
  readonly slug: string;
  readonly onDelete: () => void;
}

/** How much of the baseline is there. */
function ChosenBaseline({ slug, onDelete }: ChosenBaselineProps) {
  const query = useQuery(baselineQuery(slug));
  if (query.isError) return <FailedQuery query={query} />;
  if (query.data === undefined) return null;
  const { trace_count: count, missing } = query.data;
  const parts = [
    count === 0 ? 'empty: none of its traces is there' : countText(count, 'trace'),
    ...(missing.length > 0 ? [`${groupDigits(missing.length)} deleted: checks cannot be decided`] : []),
  ];
  return (
    <>
      <span className={styles.quiet}>{parts.join(', ')}</span>
      <Button look="bare" onClick={onDelete}>
        Delete baseline
      </Button>
    </>
  );
}
