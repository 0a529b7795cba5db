import type { ComparedCause, ComparedVariant } from '../../api/compare';
import { CauseSwatch } from '../../components/cause/Cause';
import { causeName } from '../../components/cause/causeLook';
import { Duration } from '../../components/Quantity';
import type { Column } from '../../components/table/Table';
import { TIME, type Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './Compare.module.css';
import { proofText } from './statText';

/** What changed of a cause, wherever it ran. */
type Change = Omit<ComparedCause, 'cpu'>;

/** The columns of what took CPU time; `place` says of which CPUs. */
export function causeColumns<Row extends Change>(
  variants: readonly ComparedVariant[],
  place: Column<Row>,
  { isCounting }: Pick<Clock, 'isCounting'> = TIME,
): readonly Column<Row>[] {
  const [first, second] = variants;
  const hasSeveral = variants.length > 2;
  const before = visibleText(first?.name ?? '');
  const unit = isCounting ? ', ticks' : '';
  const after = hasSeveral ? 'variant' : visibleText(second?.name ?? '');
  return [
    ...(hasSeveral
      ? [{ id: 'variant', title: 'Variant', cell: (row: Row) => visibleText(row.variant) }]
      : []),
    place,
    {
      id: 'what',
      title: 'What',
      isWidest: true,
      cell: (row) => (
        <span className={styles.what} data-real={row.is_real === true}>
          <CauseSwatch cause={kindOf(row)} what={row.what ?? ''} />
          {kindOf(row) === 'task' ? 'task' : causeName(kindOf(row))}{' '}
          <code>{visibleText(row.what ?? '')}</code>
        </span>
      ),
    },
    // Of a clock that only counts, nobody knows how long a second is.
    ...(isCounting
      ? []
      : [
          number<Row>('from_per_s', `${before}: runs/s`, 1, (row) => rateText(row.from_per_s)),
          number<Row>('to_per_s', `${after}: runs/s`, 1, (row) => rateText(row.to_per_s)),
        ]),
    number('from_share', `${before}: share`, undefined, (row) => shareText(row.from_share)),
    number('to_share', `${after}: share`, undefined, (row) => shareText(row.to_share)),
    number('delta', 'difference', undefined, (row) => (
      <span className={styles.stat}>
        <span
          className={styles.delta}
          data-real={row.is_real === true}
          title={`In percentage points. ${proofText(row)}`}
        >
          {`${signed(row.to_share - row.from_share)}\u202fpp`}
        </span>
        {row.interval === null ? null : (
          <span
            className={`${styles.under} ${styles.span}`}
            title="95 % confidence interval of the difference (bootstrap over traces)"
          >
            {`${signed(row.interval[0])} to ${signed(row.interval[1])}\u202fpp`}
          </span>
        )}
      </span>
    )),
    number('from_mean', `${before}: mean${unit}`, 3, (row) => duration(row.from_mean_ns)),
    number('to_mean', `${after}: mean${unit}`, 3, (row) => duration(row.to_mean_ns)),
    number('from_max', `${before}: longest${unit}`, 4, (row) => duration(row.from_max_ns)),
    number('to_max', `${after}: longest${unit}`, 4, (row) => duration(row.to_max_ns)),
  ];
}

function number<Row extends Change>(
  id: string,
  title: string,
  rank: 1 | 3 | 4 | undefined,
  cell: Column<Row>['cell'],
): Column<Row> {
  const head = <span className={styles.title}>{title}</span>;
  return { id, title, head, isNumber: true, ...(rank && { rank }), cell };
}

/** What runs as a task is called so. */
const kindOf = ({ cause }: Change) => (cause === 'sched' ? 'task' : cause);

const duration = (value: number | null) => (value === null ? '–' : <Duration value={ns(value)} />);

const rateText = (perSecond: number | null) =>
  perSecond === null || perSecond === 0
    ? '–'
    : perSecond.toFixed(perSecond < 10 ? 1 : 0).replace(/\B(?=(\d{3})+$)/g, ',');

const shareText = (share: number) => (share === 0 ? '–' : `${hundredths(share)}\u202f%`);

/** A difference of two shares, in percentage points. */
const signed = (share: number) =>
  share === 0 ? '0' : `${share < 0 ? '−' : '+'}${hundredths(Math.abs(share))}`;

/** Of a percentage; what is there is never `0.00`. */
const hundredths = (share: number) => (share < 0.000_05 ? '<\u202f0.01' : (share * 100).toFixed(2));
