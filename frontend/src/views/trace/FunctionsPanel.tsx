import { useMemo } from 'react';
import { useFunctions } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { SearchField } from '../../components/search/SearchField';
import { functionColumns } from '../../components/table/functionColumns';
import { SqlLink } from '../../components/SqlLink';
import { Table } from '../../components/table/Table';
import { functionsSql } from '../../lib/asSql';
import { groupDigits } from '../../lib/ns';
import { FUNCTION_SORTS, traceState } from '../../viewState/trace';
import { useViewState } from '../../viewState/useViewState';
import styles from './FunctionsPanel.module.css';
import { Panel } from '../../components/panel/Panel';

/** The functions that were traced, costliest first, each with its slowest call. */
export function FunctionsPanel({ trace }: { readonly trace: Trace }) {
  const [{ q, sort }, setState] = useViewState(traceState);
  const functions = useFunctions(trace.id, { q, sort });
  const rows = functions.data?.pages.flatMap((page) => page.items) ?? [];
  const largest = rows.reduce((most, row) => Math.max(most, row.total_ns), 0);
  const columns = useMemo(() => functionColumns(trace.id, largest), [trace.id, largest]);
  return (
    <Panel
      title="Functions"
      note={<>{groupDigits(trace.call_count ?? 0)} calls</>}
      actions={<SqlLink traceId={trace.id} sql={functionsSql({ q, sort })} what="the functions" />}
    >
      <SearchField label="Search functions" value={q} onChange={(typed) => setState({ q: typed })} />
      <FailedQuery query={functions} />
      {functions.isPending || rows.length > 0 ? (
        <div className={styles.functions}>
          <Table
            label="Functions"
            columns={columns}
            rows={rows}
            keyOf={(row) => `${row.module ?? ''}:${row.symbol}`}
            sort={sort}
            onSort={(wanted) => {
              const known = FUNCTION_SORTS.find((candidate) => candidate === wanted);
              if (known) setState({ sort: known }, { history: 'push' });
            }}
            skeleton={functions.isPending ? 10 : 0}
          />
        </div>
      ) : null}
      {functions.isSuccess && rows.length === 0 ? (
        <p className={styles.foot}>
          {q === '' ? (
            'No call was recorded from start to end.'
          ) : (
            <>
              No function name matches. <Button onClick={() => setState({ q: '' })}>Show all</Button>
            </>
          )}
        </p>
      ) : null}
      {functions.hasNextPage ? (
        <p className={styles.foot}>
          <Button disabled={functions.isFetchingNextPage} onClick={() => void functions.fetchNextPage()}>
            Show more functions
          </Button>
        </p>
      ) : null}
    </Panel>
  );
}
