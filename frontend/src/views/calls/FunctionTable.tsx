import { useFunctions } from '../../api/traces';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { SqlLink } from '../../components/SqlLink';
import { SearchField } from '../../components/search/SearchField';
import { FunctionRows } from '../../components/table/FunctionRows';
import { Toolbar } from '../../components/toolbar/Toolbar';
import { functionsSql } from '../../lib/asSql';
import { countText } from '../../lib/ns';
import type { CallsPart } from './Calls';
import { FunctionFoot } from './FunctionFoot';
import styles from './Calls.module.css';
import { InstancesPanel } from './InstancesPanel';

/** Every function of the trace with its statistics; its longest call opens in the flame chart. */
export function FunctionTable({ trace, state, setState, switches }: CallsPart) {
  const { q, sort } = state;
  const functions = useFunctions(trace.id, { q, sort });
  const rows = functions.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Toolbar
        tools={
          <>
            <span className={styles.quiet}>
              {`${countText(trace.call_count ?? 0, 'call')} in the whole trace`}
            </span>
            <SqlLink traceId={trace.id} sql={functionsSql({ q, sort })} what="the functions" />
          </>
        }
      >
        <SearchField label="Search functions" value={q} onChange={(typed) => setState({ q: typed })} />
        {switches}
      </Toolbar>
      {state.of !== '' && <InstancesPanel key={state.of} trace={trace} state={state} setState={setState} />}
      <div
        className={styles.table}
        data-rendered={functions.isSuccess && !functions.isPlaceholderData ? `${q} ${sort}` : undefined}
      >
        {functions.isError ? (
          <FailedQuery query={functions} />
        ) : (
          <FunctionRows
            traceId={trace.id}
            rows={rows}
            sort={sort}
            onSort={(wanted) => setState({ sort: wanted }, { history: 'push' })}
            skeleton={functions.isPending ? 20 : 0}
          />
        )}
        <FunctionFoot functions={functions} rowCount={rows.length} onShowAll={() => setState({ q: '' })} />
      </div>
    </>
  );
}
