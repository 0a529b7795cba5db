import { Count, Duration } from '../Quantity';
import { SymbolName } from '../SymbolName';
import type { Column } from './Table';
import { ViewLink } from '../ViewLink';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './Table.module.css';

/** What the trace knows of one function, as the API answers it. */
export interface FunctionRow {
  readonly symbol: string;
  readonly module: string | null;
  readonly count: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly min_ns: number;
  readonly p50_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
  readonly percentile_error_ppm: number;
  readonly slowest: { readonly id: string; readonly cpu: number } | null;
}

/** The columns of the function table; bars behind the totals are relative to `largestNs`. */
export function functionColumns(traceId: string, largestNs: number): readonly Column<FunctionRow>[] {
  return [
    {
      id: 'symbol',
      title: 'Function',
      isWide: true,
      sort: { name: 'symbol', preferred: 'ascending' },
      cell: (row) => (
        <ViewLink
          to={paths.calls(traceId)}
          search={{ v: '1', show: 'functions', of: row.symbol }}
          title="All of its calls over time; pick two to compare"
        >
          <code>
            <SymbolName name={row.symbol} />
          </code>
          {row.module === null ? null : <span className={styles.module}> [{visibleText(row.module)}]</span>}
        </ViewLink>
      ),
    },
    {
      id: 'count',
      title: 'Calls',
      sort: { name: 'count', preferred: 'descending' },
      isNumber: true,
      cell: (row) => (
        <ViewLink
          to={paths.calls(traceId)}
          search={{ v: '1', show: 'functions', of: row.symbol }}
          title="All of its calls over time; pick two to compare"
        >
          <Count value={row.count} />
        </ViewLink>
      ),
    },
    {
      ...durationColumn('total', 'Total', (row) => row.total_ns),
      share: (row) => (largestNs > 0 ? row.total_ns / largestNs : 0),
    },
    {
      ...durationColumn('self', 'Self', (row) => row.self_ns),
      rank: 1,
      share: (row) => (largestNs > 0 ? row.self_ns / largestNs : 0),
    },
    { ...durationColumn('min', 'Min', (row) => row.min_ns), rank: 3 },
    { ...percentileColumn('p50', 'Median', (row) => row.p50_ns), rank: 2 },
    { ...percentileColumn('p99', 'p99', (row) => row.p99_ns), rank: 3 },
    {
      id: 'max',
      title: 'Max',
      sort: { name: 'max', preferred: 'descending' },
      isNumber: true,
      cell: (row) =>
        row.slowest === null ? (
          <Duration value={ns(row.max_ns)} />
        ) : (
          <ViewLink
            to={paths.calls(traceId)}
            search={{ v: '1', call: row.slowest.id }}
            title={`Open the slowest call, on CPU ${row.slowest.cpu}`}
          >
            <Duration value={ns(row.max_ns)} />
          </ViewLink>
        ),
    },
  ];
}

/** A percentile of many calls is not exact, and says so. */
function percentileColumn(
  name: string,
  title: string,
  durationNs: (row: FunctionRow) => number,
): Column<FunctionRow> {
  return {
    ...durationColumn(name, title, durationNs),
    cell: (row) =>
      row.percentile_error_ppm === 0 ? (
        <Duration value={ns(durationNs(row))} />
      ) : (
        <span title={`Within ${(row.percentile_error_ppm / 10_000).toFixed(1)} % of the exact value`}>
          ≈ <Duration value={ns(durationNs(row))} />
        </span>
      ),
  };
}

function durationColumn(
  name: string,
  title: string,
  durationNs: (row: FunctionRow) => number,
): Column<FunctionRow> {
  return {
    id: name,
    title,
    sort: { name, preferred: 'descending' },
    isNumber: true,
    cell: (row) => <Duration value={ns(durationNs(row))} />,
  };
}
