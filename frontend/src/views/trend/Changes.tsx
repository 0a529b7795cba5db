import { useState } from 'react';
import type { Trend, TrendChange, TrendRequest } from '../../api/trend';
import { Button } from '../../components/button/Button';
import { Panel } from '../../components/panel/Panel';
import { ViewLink } from '../../components/ViewLink';
import { measureOf } from '../../lib/measure';
import { visibleText } from '../../lib/visibleText';
import { compareState } from '../../viewState/compare';
import { diffState, type DiffRef } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import { isByLabel } from '../../lib/runOrder';
import type { TrendState } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import { SaveBaseline } from './SaveBaseline';
import styles from './Trend.module.css';
import { changeText, placeText } from './trendText';

interface ChangesProps {
  readonly trend: Trend;
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
  /** What the trend is of. */
  readonly measure: Pick<TrendRequest, 'kind' | 'key' | 'priority'>;
}

/** Each change as a sentence, with what else differs there, and the ways to its worst case and to a comparison. */
export function Changes({ trend, state, setState, measure }: ChangesProps) {
  const { changes } = trend;
  return (
    <Panel title="Changes" note={changes.length > 0 ? 'levels are medians; the newest first' : undefined}>
      {changes.length === 0 ? (
        <p className={styles.note}>
          {trend.points.length < 10
            ? 'A change needs at least five runs before it and five after it.'
            : 'No lasting change. A single slow run does not count as one.'}
        </p>
      ) : (
        <ol className={styles.changes} reversed>
          {changes.toReversed().map((change, fromEnd) => (
            <ChangeItem
              key={change.index}
              change={change}
              at={changes.length - 1 - fromEnd}
              trend={trend}
              state={state}
              setState={setState}
              measure={measure}
            />
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface ChangeItemProps extends ChangesProps {
  readonly change: TrendChange;
  readonly at: number;
}

function ChangeItem({ change, at, trend, state, setState, measure }: ChangeItemProps) {
  const [isSaving, setSaving] = useState(false);
  const around = levelsAround(trend, at);
  const run = trend.points[change.index];
  const abnormal = caseOf(change.worst_url);
  const normal = caseOf(change.normal_url);
  return (
    <li>
      <p className={styles.change}>
        {`${changeText(change, state.stat, measureOf(trend.unit))} ${placeText(trend, change, state.by)}`}
        {run && isByLabel(state.by) ? `: ${visibleText(run.name)}` : ''}
      </p>
      {change.differs.length > 0 ? (
        <p className={styles.quiet}>{`Also changed there: ${change.differs.map(visibleText).join('; ')}`}</p>
      ) : null}
      <p className={styles.ways}>
        <ViewLink to={new URL(change.worst_url).pathname}>Worst case</ViewLink>
        {abnormal && normal ? (
          <ViewLink
            to={paths.diff()}
            search={diffState.write({
              ...diffState.read({}).state,
              abnormal,
              normal: { trace: normal.trace, id: 'auto' },
            })}
            title="The worst case against the median of an ordinary run of the level before"
          >
            Worst case against a normal one before
          </ViewLink>
        ) : null}
        <ViewLink
          to={paths.compare()}
          search={compareState.write({
            ...compareState.read({}).state,
            kind: measure.kind,
            key: measure.key ?? '',
            cpu: state.cpu,
            comm: state.comm,
            priority: measure.priority,
            variants: around,
          })}
          title="All runs of the level before against all of the new one"
        >
          Compare the runs before and after
        </ViewLink>
        <Button look="bare" onClick={() => setSaving(true)}>
          Save the runs before as baseline
        </Button>
      </p>
      {isSaving && run ? (
        <SaveBaseline
          title="Save the runs before as baseline"
          name={`Before ${visibleText(run.name)}`}
          runs={{ labels: [], traces: around[0].traces }}
          samples={{ cpu: state.cpu, comm: state.comm, priority: measure.priority }}
          onSaved={(baseline) => setState({ baseline, priority: measure.priority }, { history: 'push' })}
          onClose={() => setSaving(false)}
        />
      ) : null}
    </li>
  );
}

interface Level {
  readonly name: string;
  readonly traces: readonly string[];
}

/** The runs of the level before a change, and those from it to the next one. */
function levelsAround({ changes, points }: Trend, at: number): readonly [Level, Level] {
  const [first, change, end] = [changes[at - 1]?.index ?? 0, changes[at]?.index ?? 0, changes[at + 1]?.index];
  const ids = (from: number, to: number | undefined) => points.slice(from, to).map(({ trace }) => trace);
  return [
    { name: 'before', traces: ids(first, change) },
    { name: 'after', traces: ids(change, end) },
  ];
}

/** The trace and the id of the case that a permalink opens; nothing for other links. */
function caseOf(url: string): DiffRef | undefined {
  const [, trace, id] = /^\/t\/([^/]+)\/cases\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
  if (trace === undefined || id === undefined) return undefined;
  return { trace: decodeURIComponent(trace), id: decodeURIComponent(id) };
}
