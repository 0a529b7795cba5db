import {
  MOST_COMPARABLE,
  useComparable,
  type ComparableTrace,
  type ComparableTraces,
} from '../../api/comparable';
import type { Trace } from '../../api/types';
import { Dialog } from '../../components/dialog/Dialog';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { SearchedTable } from '../../components/table/SearchedTable';
import type { Column } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { distinctNames, MOST_VARIANTS, splitsOf, type Variant } from '../../lib/variants';
import { visibleText } from '../../lib/visibleText';
import { compareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import styles from './CompareDialog.module.css';

interface CompareDialogProps {
  readonly trace: Trace;
  readonly onClose: () => void;
}

/** Which other traces a trace can be compared with; each is a link to the comparison. */
export function CompareDialog({ trace, onClose }: CompareDialogProps) {
  const comparable = useComparable(trace.id);
  const { data } = comparable;
  return (
    <Dialog title="Compare with…" isWide onClose={onClose}>
      <FailedQuery query={comparable} />
      {comparable.isPending ? <Loading what="other traces" /> : null}
      {data?.items.length === 0 ? (
        <p className={styles.none}>
          No other trace has latencies of the same kinds. Upload one, or select any traces on the first page.
        </p>
      ) : null}
      {data && data.items.length > 0 ? (
        <>
          <Together trace={trace} found={data} />
          <Found trace={trace} items={data.items} />
        </>
      ) : null}
    </Dialog>
  );
}

interface FoundProps {
  readonly trace: Trace;
  readonly items: readonly ComparableTrace[];
}

/** The traces that are most alike first. */
function Found({ trace, items }: FoundProps) {
  return (
    <>
      <SearchedTable
        label="Traces to compare with"
        columns={columns(trace)}
        rows={items}
        keyOf={({ id }) => id}
        textOf={({ name, labels }) => `${name} ${labelsText(labels)}`}
      />
      {items.length >= MOST_COMPARABLE && (
        <p className={styles.none}>
          {`These are the ${MOST_COMPARABLE} most alike. To compare with any others, select them in the `}
          <ViewLink to={paths.traces()}>list of traces</ViewLink>.
        </p>
      )}
    </>
  );
}

interface TogetherProps {
  readonly trace: Trace;
  readonly found: ComparableTraces;
}

/** All values of the one label that differs, in one comparison. */
function Together({ trace, found }: TogetherProps) {
  const labels = [...new Set(found.items.flatMap(({ label }) => label ?? []))];
  const offered = labels
    .map((label) => ({ label, variants: variantsBy(label, trace, found) }))
    .filter(({ variants }) => variants.length <= MOST_VARIANTS)
    .filter(({ variants }) => variants.reduce((sum, { traces }) => sum + traces.length, 0) > 2);
  if (offered.length === 0) return null;
  return (
    <ul className={styles.together}>
      {offered.map(({ label, variants }) => (
        <li key={label}>
          <ViewLink to={paths.compare()} search={searchOf(variants)}>
            {visibleText(`All by ${label}: ${variants.map(({ name }) => name).join(', ')}`)}
          </ViewLink>
        </li>
      ))}
    </ul>
  );
}

function variantsBy(label: string, trace: Trace, { items, labels }: ComparableTraces): readonly Variant[] {
  const own = labels[label] ?? '';
  const values = new Map([[own, [trace.id]]]);
  for (const item of items.filter((one) => one.label === label)) {
    const value = item.labels[label] ?? '';
    values.set(value, [...(values.get(value) ?? []), item.id]);
  }
  return distinctNames([...values].map(([name, traces]) => ({ name, traces })));
}

const searchOf = (variants: readonly Variant[]) =>
  compareState.write({ ...compareState.read({}).state, variants });

const labelsText = (labels: ComparableTrace['labels']) =>
  Object.entries(labels)
    .map(([name, value]) => visibleText(`${name}=${value}`))
    .join(', ');

const REASONS: Readonly<Record<ComparableTrace['likeness'], string>> = {
  label: 'same labels except',
  opened: 'opened recently',
  tracer: 'same tracer',
};

function columns(trace: Trace): readonly Column<ComparableTrace>[] {
  return [
    {
      id: 'name',
      title: 'Trace',
      isWide: true,
      cell: (other) => (
        <ViewLink to={paths.compare()} search={searchOf(splitsOf([trace, other])[0]?.variants ?? [])}>
          {visibleText(other.name)}
        </ViewLink>
      ),
    },
    {
      id: 'labels',
      title: 'Labels',
      rank: 1,
      has: ({ labels }) => labelsText(labels) !== '',
      cell: ({ labels }) => labelsText(labels),
    },
    {
      id: 'likeness',
      title: 'Suggested because',
      cell: ({ likeness, label }) => `${REASONS[likeness]} ${visibleText(label ?? '')}`.trim(),
    },
  ];
}
