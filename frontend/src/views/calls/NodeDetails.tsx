import { useQuery } from '@tanstack/react-query';
import { callTreeQuery, type CallTreeAnswer } from '../../api/calls';
import { useFunctions } from '../../api/traces';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Exact } from '../../components/Exact';
import { Duration } from '../../components/Quantity';
import { SymbolName } from '../../components/SymbolName';
import { ViewLink } from '../../components/ViewLink';
import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import type { PlacedNode } from './flameGraph';
import { treeRequest } from './treeRequest';

interface NodeDetailsProps extends Pick<CallsPart, 'trace' | 'state'> {
  readonly placed: PlacedNode;
  readonly totalNs: number;
  readonly isCaller?: boolean;
}

/** A function of the merged calls: its numbers here, where all of its calls come from, and where it leads. */
export function NodeDetails({ trace, state, placed, totalNs, isCaller = false }: NodeDetailsProps) {
  const { node, symbol } = placed;
  return (
    <>
      <p className={styles.name}>{visibleText(symbol)}</p>
      <dl className={styles.facts}>
        <Time
          name={isCaller ? 'through it' : 'total'}
          hint={isCaller ? 'Time of the function that it leads to' : 'Including the functions that it calls'}
          value={node.total_ns}
          share={percentText(node.total_ns, totalNs)}
        />
        {!isCaller && (
          <Time
            name="self"
            hint="Excluding the functions that it calls"
            value={node.self_ns}
            share={percentText(node.self_ns, totalNs)}
          />
        )}
        <dt>calls</dt>
        <dd>{groupDigits(node.count)}</dd>
        {!isCaller && node.count > 0 && <Time name="mean" value={Math.round(node.total_ns / node.count)} />}
        {node.min_ns !== null && <Time name="min" value={node.min_ns} />}
        {node.p50_ns !== null && <Time name="median" value={node.p50_ns} />}
        {node.max_ns !== null && <Time name="max" value={node.max_ns} />}
      </dl>
      <NodeWays trace={trace} state={state} symbol={symbol} />
      <CalledFrom trace={trace} state={state} symbol={symbol} />
    </>
  );
}

interface TimeProps {
  readonly name: string;
  readonly hint?: string;
  readonly value: number;
  readonly share?: string;
}

function Time({ name, hint, value, share }: TimeProps) {
  return (
    <>
      <dt title={hint}>{name}</dt>
      <dd>
        <Duration value={ns(value)} />{' '}
        {share === undefined ? <Exact value={value} /> : <span className={styles.quiet}>{share}</span>}
      </dd>
    </>
  );
}

interface OfFunction extends Pick<CallsPart, 'trace' | 'state'> {
  readonly symbol: string;
}

const sandwichOf = (state: CallsPart['state'], symbol: string) =>
  callsState.write({ ...state, show: 'graph', order: 'sandwich', of: symbol, focus: '', q: '' });

function NodeWays({ trace, state, symbol }: OfFunction) {
  const named = useFunctions(trace.id, { q: symbol, sort: '-total' });
  const slowest = named.data?.pages[0]?.items.find((row) => row.symbol === symbol)?.slowest;
  const { state: fresh } = callsState.read({});
  const to = paths.calls(trace.id);
  return (
    <p className={styles.ways}>
      <ViewLink to={to} search={sandwichOf(state, symbol)}>
        Callers and callees
      </ViewLink>
      <ViewLink to={to} search={callsState.write({ ...fresh, show: 'functions', of: symbol, q: symbol })}>
        All its calls
      </ViewLink>
      {slowest && (
        <ViewLink to={to} search={callsState.write({ ...fresh, call: slowest.id })}>
          Slowest call
        </ViewLink>
      )}
    </p>
  );
}

const MOST_CALLERS = 12;

/** Who calls it, anywhere in the window, and how much of its time each has. */
function CalledFrom({ trace, state, symbol }: OfFunction) {
  const callers = useQuery(callTreeQuery(trace.id, { ...treeRequest(state), root: symbol, invert: true }));
  if (callers.isError) return <FailedQuery query={callers} />;
  if (callers.data === undefined || callers.isPlaceholderData) {
    return <p className={styles.quiet}>Loading its callers …</p>;
  }
  const { rows, outside } = directCallers(callers.data);
  return (
    <>
      <h3 className={styles.kind}>Called from</h3>
      <ul className={styles.callers}>
        {rows.slice(0, MOST_CALLERS).map(({ name, totalNs, count }) => (
          <li key={name}>
            <ViewLink to={paths.calls(trace.id)} search={sandwichOf(state, name)}>
              <code title={`${groupDigits(count)} ${count === 1 ? 'call' : 'calls'}`}>
                <SymbolName name={name} />
              </code>
            </ViewLink>
            <Duration value={ns(totalNs)} />
          </li>
        ))}
        {rows.length > MOST_CALLERS && (
          <li className={styles.quiet}>{`and ${groupDigits(rows.length - MOST_CALLERS)} more functions`}</li>
        )}
        {outside > 0 && (
          <li>
            <span className={styles.quiet}>no recorded caller</span>
            <Duration value={ns(outside)} />
          </li>
        )}
      </ul>
    </>
  );
}

/** The functions next above the root of a tree that is upside down, the largest first. */
function directCallers({ nodes, symbols }: CallTreeAnswer) {
  const roots = new Set(nodes.flatMap(({ parent }, index) => (parent === null ? [index] : [])));
  const rows = nodes
    .filter(({ parent }) => parent !== null && roots.has(parent))
    .map(({ symbol_idx, total_ns, count }) => ({
      name: symbols[symbol_idx ?? -1] ?? '?',
      totalNs: total_ns,
      count,
    }))
    .toSorted((a, b) => b.totalNs - a.totalNs);
  const outside = [...roots].reduce((sum, index) => sum + (nodes[index]?.self_ns ?? 0), 0);
  return { rows, outside };
}
