import { useMemo, type ReactNode } from 'react';
import type { ComparedDifference, ComparedVariant, Comparison } from '../../api/compare';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { groupColour } from '../../components/distribution/distributionOption';
import { Count, Measured } from '../../components/Quantity';
import { Table, type Column } from '../../components/table/Table';
import { useTheme } from '../../components/theme/theme';
import { ViewLink } from '../../components/ViewLink';
import type { Colour } from '../../lib/colour';
import { measureOf, type Measure } from '../../lib/measure';
import { visibleText } from '../../lib/visibleText';
import styles from './Compare.module.css';
import { deltaText, intervalText, proofText, saidStat } from './statText';

interface CardProps {
  readonly answer: Comparison | undefined;
  /** Has all others compared with the variant of this name. */
  readonly onBaseline: (name: string) => void;
}

/** One row a variant: its numbers, between what they lie, and how they differ from the first. */
export function Card({ answer, onBaseline }: CardProps) {
  const { isCounting } = useClock();
  const { name } = useTheme();
  const columns = useMemo(
    () => (answer ? cardColumns(answer, (index) => groupColour(index, name), onBaseline) : []),
    [answer, name, onBaseline],
  );
  return (
    <div className={styles.card}>
      <Table
        label="Variants"
        columns={columns}
        rows={answer?.variants ?? []}
        keyOf={(row) => row.name}
        skeleton={answer ? 0 : 2}
      />
      {isCounting ? <p className={`${styles.note} ${styles.quiet}`}>All numbers are clock ticks.</p> : null}
    </div>
  );
}

type Row = ComparedVariant;

/**
 * What a narrow page leaves out first: of times it keeps a tail, which is p99 unless the sentence is of another number;
 * of counts it keeps the least, which is the worst.
 */
const RANKS = { p50: 2, p90: 2, p99: undefined, 'p99.9': 1, 'p99.99': 3 } as const;

const QUANTILES = [
  ['p50', 'median', 'p50_ns'],
  ['p90', 'p90', 'p90_ns'],
  ['p99', 'p99', 'p99_ns'],
  ['p99.9', 'p99.9', 'p99_9_ns'],
  ['p99.99', 'p99.99', 'p99_99_ns'],
] as const;

function cardColumns(
  answer: Comparison,
  colourOf: (index: number) => Colour,
  onBaseline: CardProps['onBaseline'],
): readonly Column<Row>[] {
  const measure = measureOf(answer.unit);
  const differenceOf = (row: Row, stat: string) =>
    answer.differences.find((one) => one.variant === row.name && one.stat === stat);
  const isFirst = (row: Row) => answer.variants[0] === row;
  const context = { measure, differenceOf, isFirst };
  const said = saidStat(answer.differences);
  return [
    {
      id: 'variant',
      title: 'Variant',
      isWidest: true,
      cell: (row) => (
        <span className={styles.variant}>
          <span
            className={styles.swatch}
            style={{ backgroundColor: colourOf(answer.variants.indexOf(row)) }}
            aria-hidden
          />
          {visibleText(row.name)}
          <span className={styles.under}>
            {isFirst(row) ? (
              'baseline'
            ) : (
              <Button
                look="bare"
                label={`Make baseline: ${visibleText(row.name)}`}
                onClick={() => onBaseline(row.name)}
              >
                Make baseline
              </Button>
            )}
            {row.drawn === 'blocks' ? ' · intervals within runs' : ''}
          </span>
        </span>
      ),
    },
    { id: 'traces', title: 'Traces', isNumber: true, rank: 1, cell: (row) => <Count value={row.traces} /> },
    {
      id: 'samples',
      title: 'Samples',
      isNumber: true,
      rank: 1,
      cell: (row) => <Count value={row.samples} />,
    },
    // Of counts of work, the least is the worst.
    plain('min', measure, 'min_ns', measure.isTime ? 4 : undefined),
    {
      id: 'mean',
      title: 'mean ± stdev',
      isNumber: true,
      rank: 2,
      cell: (row) => (
        <Stat row={row} stat="mean_ns" {...context}>
          {row.stdev_ns === null ? null : (
            <>
              {' ± '}
              <Measured value={row.stdev_ns} measure={measure} />
            </>
          )}
        </Stat>
      ),
    },
    ...QUANTILES.map(([id, title, stat]): Column<Row> => ({
      id,
      title,
      isNumber: true,
      ...rankOf(
        stat === said ? undefined : measure.isTime ? (RANKS[id] ?? rankBeside(said)) : (RANKS[id] ?? 1),
      ),
      cell: (row) => <Stat row={row} stat={stat} {...context} />,
    })),
    {
      id: 'max',
      title: 'max',
      isNumber: true,
      cell: (row) => <Longest row={row} measure={measure} difference={differenceOf(row, 'max_ns')} />,
    },
  ];
}

/** Of p99, where another quantile takes its place. */
const rankBeside = (said: string | undefined) =>
  QUANTILES.some(([, , stat]) => stat === said) ? 2 : undefined;

const rankOf = (rank: Column<Row>['rank']) => (rank === undefined ? {} : { rank });

function plain(title: string, measure: Measure, stat: 'min_ns', rank: Column<Row>['rank']): Column<Row> {
  return {
    id: title,
    title,
    isNumber: true,
    ...rankOf(rank),
    cell: (row) => {
      const value = row[stat];
      return value === null ? '–' : <Measured value={value} measure={measure} />;
    },
  };
}

const ORIGINS: Record<NonNullable<Row['drawn']> | 'none', string> = {
  traces: '95 % confidence interval (bootstrap over traces)',
  blocks:
    '95 % confidence interval within these runs (bootstrap over blocks of time). It says nothing of other runs: that takes five traces.',
  none: 'An interval needs five traces, or samples with times, most of them from runs of at least 64.',
};

interface StatProps {
  readonly row: Row;
  readonly stat: keyof Row['intervals'];
  readonly measure: Measure;
  readonly differenceOf: (row: Row, stat: string) => ComparedDifference | undefined;
  readonly isFirst: (row: Row) => boolean;
  readonly children?: ReactNode;
}

/** A number, the interval in which it lies, and how it differs from that of the first variant. */
function Stat({ row, stat, measure, differenceOf, isFirst, children }: StatProps) {
  const value = row[stat];
  if (value === null) return '–';
  return (
    <span className={styles.stat}>
      <span>
        <Measured value={value} measure={measure} />
        {children}
      </span>
      <span className={styles.under} title={ORIGINS[row.drawn ?? 'none']}>
        {intervalText(row.intervals[stat], measure)}
      </span>
      {isFirst(row) ? null : <Delta difference={differenceOf(row, stat)} measure={measure} />}
    </span>
  );
}

interface DeltaProps {
  readonly difference: ComparedDifference | undefined;
  readonly measure: Measure;
}

/** What is not proven to differ stays grey. */
function Delta({ difference, measure }: DeltaProps) {
  if (difference === undefined) return null;
  return (
    <span className={styles.delta} data-real={difference.is_real === true} title={proofText(difference)}>
      {deltaText(difference, measure)}
    </span>
  );
}

interface LongestProps {
  readonly row: Row;
  readonly measure: Measure;
  readonly difference: ComparedDifference | undefined;
}

function Longest({ row, measure, difference }: LongestProps) {
  if (row.max_ns === null) return '–';
  const value = <Measured value={row.max_ns} measure={measure} />;
  return (
    <span className={styles.stat}>
      {row.max_url === null ? (
        value
      ) : (
        <ViewLink to={new URL(row.max_url).pathname} title="Open the worst case of this variant">
          {value}
        </ViewLink>
      )}
      <span className={styles.under} />
      {difference ? <Delta difference={difference} measure={measure} /> : null}
    </span>
  );
}
