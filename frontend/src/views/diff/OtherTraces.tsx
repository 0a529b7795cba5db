import type { Normals, NormalTrace } from '../../api/diff';
import { Count, Duration } from '../../components/Quantity';
import { SearchedTable } from '../../components/table/SearchedTable';
import type { Column } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { diffState, type DiffRef, type DiffState } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import styles from './OtherTraces.module.css';

interface OtherTracesProps {
  readonly normals: Normals;
  /** The comparison that the links change. */
  readonly state: DiffState;
  /** Called when a link is followed. */
  readonly onPick?: () => void;
}

/** Traces with calls of the same function, or cases of the same kind; each opens a comparison with its median. */
export function OtherTraces({ normals, state, onPick }: OtherTracesProps) {
  if (normals.traces.length === 0) {
    return (
      <p className={styles.none}>{`No other trace has ${likeText(normals)}. Upload one to compare with.`}</p>
    );
  }
  return (
    <SearchedTable
      label="Other traces to compare with"
      columns={columns(normals.function !== null, state, onPick)}
      rows={normals.traces}
      keyOf={({ id }) => id}
      textOf={({ name, labels }) => [name, ...labelTexts(labels)].join(' ')}
    />
  );
}

/** What is alike, in words: `calls of smp_apic_timer_interrupt`. */
export function likeText({ function: symbol, kind, title, key }: Normals): string {
  if (symbol !== null) return `calls of ${visibleText(symbol)}`;
  const what = key === null || key === '' ? '' : ` (${visibleText(key)})`;
  return `cases of ${visibleText(title ?? kind ?? '')}${what}`;
}

const comparedWith = (state: DiffState, normal: DiffRef) =>
  diffState.write({ ...state, normal, row: undefined, toggled: [], window: undefined });

function columns(
  isOfCalls: boolean,
  state: DiffState,
  onPick: (() => void) | undefined,
): readonly Column<NormalTrace>[] {
  return [
    {
      id: 'name',
      title: 'Trace',
      isWide: true,
      cell: ({ id, name }) => (
        <ViewLink
          to={paths.diff()}
          search={comparedWith(state, { trace: id, id: 'auto' })}
          {...(onPick && { onClick: onPick })}
        >
          {visibleText(name)}
        </ViewLink>
      ),
    },
    {
      id: 'labels',
      title: 'Labels',
      rank: 1,
      cell: ({ labels, shared_labels }) => (
        <span className={styles.labels}>
          {Object.keys(labels).map((name, at) => (
            <span key={name} data-shared={shared_labels.includes(name)}>
              {labelTexts(labels)[at]}
            </span>
          ))}
        </span>
      ),
    },
    {
      id: 'count',
      title: isOfCalls ? 'Calls' : 'Cases',
      isNumber: true,
      cell: ({ count }) => <Count value={count} />,
    },
    ...(isOfCalls ? [MEDIAN] : []),
    {
      id: 'longest',
      title: 'Longest',
      isNumber: true,
      rank: 1,
      cell: ({ max_ns }) => <Duration value={ns(max_ns)} />,
    },
  ];
}

const labelTexts = (labels: NormalTrace['labels']) =>
  Object.entries(labels).map(([name, value]) => visibleText(`${name}=${value}`));

const MEDIAN: Column<NormalTrace> = {
  id: 'median',
  title: 'Median',
  isNumber: true,
  cell: ({ median_ns }) => (median_ns === null ? null : <Duration value={ns(median_ns)} />),
};
