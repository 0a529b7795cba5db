import { useFunctions } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { SearchField } from '../../components/search/SearchField';
import { FunctionRows } from '../../components/table/FunctionRows';
import { SqlLink } from '../../components/SqlLink';
import { functionsSql } from '../../lib/asSql';
import { countText } from '../../lib/ns';
import { traceState } from '../../viewState/trace';
import { useViewState } from '../../viewState/useViewState';
import styles from './FunctionsPanel.module.css';
import { Panel } from '../../components/panel/Panel';

/** The functions that were traced, costliest first, each with its slowest call. */
export function FunctionsPanel({ trace }: { readonly trace: Trace }) {
  const [{ q, sort }, setState] = useViewState(traceState);
  const functions = useFunctions(trace.id, { q, sort });
  const rows = functions.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel
      title="Functions"
      note={countText(trace.call_count ?? 0, 'call')}
      actions={<SqlLink traceId={trace.id} sql={functionsSql({ q, sort })} what="the functions" />}
    >
      <SearchField label="Search functions" value={q} onChange={(typed) => setState({ q: typed })} />
      <FailedQuery query={functions} />
      {functions.isPending || rows.length > 0 ? (
        <div className={styles.functions}>
          <FunctionRows
            traceId={trace.id}
            rows={rows}
            sort={sort}
            onSort={(wanted) => setState({ sort: wanted }, { history: 'push' })}
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
