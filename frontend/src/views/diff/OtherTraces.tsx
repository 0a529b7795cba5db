import type { Normals, NormalTrace } from '../../api/diff';
import { ClockContext } from '../../components/clock/useClock';
import { Count, Duration } from '../../components/Quantity';
import { SearchedTable } from '../../components/table/SearchedTable';
import type { Column } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { clockOf, type Clock } from '../../lib/clock';
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
  const clock = clockOf(normals.unit);
  if (normals.traces.length === 0) {
    // Those with other clocks are not offered.
    const other = clock.isCounting ? 'No other trace with such a clock' : 'No other trace';
    return <p className={styles.none}>{`${other} has ${likeText(normals)}. Upload one to compare with.`}</p>;
  }
  return (
    <ClockContext value={clock}>
      <SearchedTable
        label="Other traces to compare with"
        columns={columns(normals.function !== null, clock, state, onPick)}
        rows={normals.traces}
        keyOf={({ id }) => id}
        textOf={({ name, labels }) => [name, ...labelTexts(labels)].join(' ')}
      />
    </ClockContext>
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
  { isCounting }: Clock,
  state: DiffState,
  onPick: (() => void) | undefined,
): readonly Column<NormalTrace>[] {
  const unit = isCounting ? ', ticks' : '';
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
    ...(isOfCalls ? [medianColumn(unit)] : []),
    {
      id: 'longest',
      title: `Longest${unit}`,
      isNumber: true,
      rank: 1,
      cell: ({ max_ns }) => <Duration value={ns(max_ns)} />,
    },
  ];
}

const labelTexts = (labels: NormalTrace['labels']) =>
  Object.entries(labels).map(([name, value]) => visibleText(`${name}=${value}`));

const medianColumn = (unit: string): Column<NormalTrace> => ({
  id: 'median',
  title: `Median${unit}`,
  isNumber: true,
  cell: ({ median_ns }) => (median_ns === null ? null : <Duration value={ns(median_ns)} />),
});
