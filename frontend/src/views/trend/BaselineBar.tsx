import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { baselineQuery, baselinesQuery, deleteBaseline } from '../../api/baselines';
import { Button } from '../../components/button/Button';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog';
import { useNotice } from '../../components/notices/notices';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Choice } from '../../components/toolbar/Choice';
import { labelText } from '../../lib/label';
import { countText, groupDigits } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import type { TrendState } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import { SaveBaseline } from './SaveBaseline';
import styles from './Trend.module.css';

interface BaselineBarProps {
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
  /** Whether the runs keep to the class that they measure, which nobody chose. */
  readonly isOfOneClass: boolean;
}

/** The baseline that is drawn behind the runs; these runs are saved as one, and one is deleted. */
export function BaselineBar({ state, setState, isOfOneClass }: BaselineBarProps) {
  const [asked, setAsked] = useState<'save' | 'delete'>();
  const list = useQuery(baselinesQuery);
  const items = list.data?.items ?? [];
  const { baseline: slug, labels, traces, priority = [] } = state;
  const choose = (baseline: string) => setState({ baseline }, { history: 'push' });
  const isKnown = slug === '' || items.some((one) => one.slug === slug);
  return (
    <div className={styles.bar}>
      <Choice name="baseline" isNarrow>
        <select value={slug} onChange={({ target }) => choose(target.value)}>
          <option value="">none</option>
          {isKnown ? null : <option value={slug}>{slug}</option>}
          {items.map((one) => (
            <option key={one.slug} value={one.slug}>
              {visibleText(one.name)}
            </option>
          ))}
        </select>
      </Choice>
      {slug === '' ? null : <ChosenBaseline slug={slug} onDelete={() => setAsked('delete')} />}
      {priority.length === 0 ? (
        <Button onClick={() => setAsked('save')}>Save as baseline</Button>
      ) : (
        <span className={styles.quiet}>Baselines are saved, and checked, for tasks of all classes.</span>
      )}
      <FailedQuery query={list} />
      {asked === 'save' ? (
        <SaveBaseline
          title="Save these runs as baseline"
          name={labels.map(labelText).join(' ') || countText(traces.length, 'run')}
          runs={state}
          isOfOneClass={isOfOneClass}
          onSaved={choose}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      {asked === 'delete' ? (
        <DeleteBaseline slug={slug} onDeleted={() => choose('')} onClose={() => setAsked(undefined)} />
      ) : null}
    </div>
  );
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

interface DeleteBaselineProps {
  readonly slug: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

function DeleteBaseline({ slug, onDeleted, onClose }: DeleteBaselineProps) {
  const [isBusy, setBusy] = useState(false);
  const say = useNotice();
  const remove = async () => {
    setBusy(true);
    try {
      await deleteBaseline(slug);
      onDeleted();
    } catch (error) {
      const { title, detail } = problemOf(error);
      say(`Not deleted. ${detail ?? title}`);
    }
    onClose();
  };
  return (
    <ConfirmDialog
      title="Delete this baseline?"
      deed="Delete"
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {`Checks that name ${slug} can no longer be decided. Its traces stay.`}
    </ConfirmDialog>
  );
}
