import { useMemo } from 'react';
import type { ComparedCause, ComparedVariant, Comparison } from '../../api/compare';
import { CauseSwatch } from '../../components/cause/Cause';
import { causeName } from '../../components/cause/causeLook';
import { Panel } from '../../components/panel/Panel';
import { Duration } from '../../components/Quantity';
import { Table, type Column } from '../../components/table/Table';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './Compare.module.css';

/** What took each CPU of the first variant and of another, the largest differences first. */
export function CauseTable({ answer }: { readonly answer: Comparison }) {
  const { causes, ticks, variants } = answer;
  const columns = useMemo(() => causeColumns(variants), [variants]);
  if (causes.length === 0 && ticks.length === 0) return null;
  return (
    <Panel
      title="What took the CPUs"
      note={causes.length > 0 ? 'share of each CPU’s time; bold where the difference is real' : undefined}
    >
      {causes.length > 0 ? (
        <div className={styles.causes}>
          <Table
            label="What took the CPUs"
            columns={columns}
            rows={causes}
            keyOf={({ variant, cpu, cause, what }) => `${variant} ${cpu} ${cause} ${what}`}
          />
        </div>
      ) : null}
      {ticks.length > 0 ? (
        <ul className={styles.ticks} aria-label="The tick">
          {ticks.map(({ variant, cpu, told, handler_known: isKnown }) => (
            <li key={`${variant} ${cpu}`}>
              <span
                className={styles.quiet}
              >{`${visibleText(variant)}: ${isKnown ? 'the tick' : 'all interrupts of the timer'} `}</span>
              {told}
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

function causeColumns(variants: readonly ComparedVariant[]): readonly Column<ComparedCause>[] {
  const [first, second] = variants;
  const hasSeveral = variants.length > 2;
  const before = visibleText(first?.name ?? '');
  const after = hasSeveral ? 'variant' : visibleText(second?.name ?? '');
  return [
    ...(hasSeveral
      ? [{ id: 'variant', title: 'Variant', cell: (row: ComparedCause) => visibleText(row.variant) }]
      : []),
    { id: 'cpu', title: 'CPU', isNumber: true, cell: (row) => row.cpu },
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
    number('from_per_s', `${before}: runs/s`, 1, (row) => rateText(row.from_per_s)),
    number('to_per_s', `${after}: runs/s`, 1, (row) => rateText(row.to_per_s)),
    number('from_share', `${before}: share`, undefined, (row) => shareText(row.from_share)),
    number('to_share', `${after}: share`, undefined, (row) => shareText(row.to_share)),
    number('delta', 'difference', undefined, (row) => (
      <span className={styles.delta} data-real={row.is_real === true}>
        {signed(row.to_share - row.from_share)}
      </span>
    )),
    number('from_mean', `${before}: mean`, 3, (row) => duration(row.from_mean_ns)),
    number('to_mean', `${after}: mean`, 3, (row) => duration(row.to_mean_ns)),
    number('from_max', `${before}: longest`, 4, (row) => duration(row.from_max_ns)),
    number('to_max', `${after}: longest`, 4, (row) => duration(row.to_max_ns)),
  ];
}

function number(
  id: string,
  title: string,
  rank: 1 | 3 | 4 | undefined,
  cell: Column<ComparedCause>['cell'],
): Column<ComparedCause> {
  return { id, title, isNumber: true, ...(rank && { rank }), cell };
}

/** What runs as a task is called so. */
const kindOf = ({ cause }: ComparedCause) => (cause === 'sched' ? 'task' : cause);

const duration = (value: number | null) => (value === null ? '–' : <Duration value={ns(value)} />);

const rateText = (perSecond: number) =>
  perSecond === 0 ? '–' : perSecond.toFixed(perSecond < 10 ? 1 : 0).replace(/\B(?=(\d{3})+$)/g, ',');

const shareText = (share: number) => (share === 0 ? '–' : `${(share * 100).toFixed(2)}\u202f%`);

const signed = (share: number) => `${share < 0 ? '−' : '+'}${(Math.abs(share) * 100).toFixed(2)}\u202f%`;
