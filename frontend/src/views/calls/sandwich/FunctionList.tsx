import { useMemo } from 'react';
import { useFunctions } from '../../../api/traces';
import type { FunctionStat } from '../../../api/types';
import { useClock } from '../../../components/clock/useClock';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { Duration } from '../../../components/Quantity';
import { SymbolName } from '../../../components/SymbolName';
import { Table, type Column } from '../../../components/table/Table';
import { ViewLink } from '../../../components/ViewLink';
import { ns } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import { callsState, type CallsState } from '../../../viewState/calls';
import { paths } from '../../../viewState/paths';
import type { CallsPart } from '../Calls';
import { FunctionFoot } from '../FunctionFoot';
import styles from './Sandwich.module.css';

/** Functions whose names contain `q`, those with the most time of their own first. */
export const useListedFunctions = (traceId: string, q: string) => useFunctions(traceId, { q, sort: '-self' });

/** The functions that a sandwich can be of, as links to theirs, under what is searched. */
export function FunctionList({ trace, state, setState }: CallsPart) {
  const clock = useClock();
  const functions = useListedFunctions(trace.id, state.q);
  const rows = functions.data?.pages.flatMap((page) => page.items) ?? [];
  const columns = useMemo(() => columnsOf(trace.id, state), [trace.id, state]);
  return (
    <section className={styles.list} aria-label="Functions to choose from">
      {state.window && (
        <p className={styles.scope}>
          {`Times in the whole trace; the chart shows ${clock.duration(ns(state.window.end - state.window.start))} of it`}
        </p>
      )}
      <FailedQuery query={functions} />
      <Table
        label="Functions"
        columns={columns}
        rows={rows}
        keyOf={(row) => `${row.module ?? ''}:${row.symbol}`}
        skeleton={functions.isPending ? 12 : 0}
      />
      <FunctionFoot functions={functions} rowCount={rows.length} onShowAll={() => setState({ q: '' })} />
    </section>
  );
}

function columnsOf(traceId: string, state: CallsState): readonly Column<FunctionStat>[] {
  return [
    {
      id: 'symbol',
      title: 'Function',
      isWidest: true,
      cell: ({ symbol }) => (
        <ViewLink
          to={paths.calls(traceId)}
          search={callsState.write({
            ...state,
            of: symbol,
            focus: '',
            abnormal: undefined,
            normal: undefined,
          })}
          title={`Callers and callees of ${visibleText(symbol)}`}
        >
          <code className={symbol === state.of ? styles.chosen : undefined}>
            <SymbolName name={symbol} />
          </code>
        </ViewLink>
      ),
    },
    {
      id: 'self',
      title: 'Self',
      isNumber: true,
      cell: ({ self_ns }) => <Duration value={ns(self_ns)} />,
    },
    {
      id: 'total',
      title: 'Total',
      isNumber: true,
      cell: ({ total_ns }) => <Duration value={ns(total_ns)} />,
    },
  ];
}
