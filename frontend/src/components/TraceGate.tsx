import type { ReactNode } from 'react';
import { problemOfTrace, type ReadFailure } from '../lib/problem';
import { paths } from '../viewState/paths';
import { clockOf } from '../lib/clock';
import { ClockContext } from './clock/useClock';
import { Loading } from './Loading';
import { FailedPage } from './problem/FailedQuery';
import { ProblemNote } from './problem/ProblemNote';
import { ViewLink } from './ViewLink';

interface GatedTrace {
  readonly id: string;
  readonly status: string;
  readonly time_unit: string | null;
  readonly error: ReadFailure | null;
}

interface TraceGateProps<T extends GatedTrace> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly children: (trace: T) => ReactNode;
}

/** Shows a view only once its trace can be shown; says why not until then. */
export function TraceGate<T extends GatedTrace>({ query, children }: TraceGateProps<T>) {
  const { data: trace } = query;
  if (trace === undefined) {
    if (query.error === null) return <Loading what="the trace" />;
    return <FailedPage query={query} />;
  }
  if (trace.status === 'ready') {
    return <ClockContext value={clockOf(trace.time_unit)}>{children(trace)}</ClockContext>;
  }
  const problem = trace.error
    ? problemOfTrace(trace.error)
    : { status: 0, code: trace.status, title: 'This trace is still being read' };
  return (
    <ProblemNote problem={problem}>
      <ViewLink to={paths.trace(trace.id)}>Open its overview</ViewLink>
    </ProblemNote>
  );
}
