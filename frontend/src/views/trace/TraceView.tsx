import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { deleteTrace, isFinal, useTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { DeleteTraceDialog } from '../../components/dialog/DeleteTraceDialog';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import { EventTypesPanel } from './EventTypesPanel';
import { FactsTable } from './FactsTable';
import { FailedTrace } from './FailedTrace';
import { FunctionsPanel } from './FunctionsPanel';
import { LatencyPanels } from './latencies/LatencyPanels';
import { MissingPanel } from './MissingPanel';
import { ReadingProgress } from './ReadingProgress';
import { TraceHead } from './TraceHead';
import { TraceSkeleton } from './TraceSkeleton';
import styles from './TraceView.module.css';
import { WarningsPanel } from './WarningsPanel';

// The chart library is large: the facts do not wait for it, but it comes while the server is asked for them.
const loadStrip = () => import('./OverviewStrip');
const OverviewStrip = lazy(loadStrip);

/** What one trace is: facts, warnings, what it lacks, its costliest functions, its events, and the way into the other views. */
export default function TraceView() {
  const { trace: id }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  useEffect(() => void loadStrip(), []);
  if (trace.data) return <TraceOverview key={trace.data.id} trace={trace.data} />;
  if (!trace.isError) return <TraceSkeleton />;
  return (
    <FailedQuery isPage query={trace}>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </FailedQuery>
  );
}

function TraceOverview({ trace }: { readonly trace: Trace }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const isReady = trace.status === 'ready';
  return (
    <article data-status={trace.status}>
      <TraceHead trace={trace} onDelete={() => setDeleting(true)} />
      {isFinal(trace) ? null : <ReadingProgress trace={trace} />}
      {trace.error ? (
        <FailedTrace id={trace.id} error={trace.error} onDelete={() => setDeleting(true)} />
      ) : null}
      <div className={isReady ? styles.columns : undefined}>
        {isReady ? (
          <div className={styles.main}>
            <LatencyPanels trace={trace} />
            {trace.duration_ns && !Object.hasOwn(trace.missing, 'sched') ? (
              <Suspense fallback={<div className={styles.overview} />}>
                <OverviewStrip traceId={trace.id} durationNs={trace.duration_ns} />
              </Suspense>
            ) : null}
            {trace.warnings.length > 0 ? <WarningsPanel trace={trace} /> : null}
            {(trace.call_count ?? 0) > 0 ? <FunctionsPanel trace={trace} /> : null}
            {(trace.event_count ?? 0) > 0 ? <EventTypesPanel trace={trace} /> : null}
            <MissingPanel missing={trace.missing} />
          </div>
        ) : null}
        <FactsTable trace={trace} />
      </div>
      {isDeleting ? (
        <DeleteTraceDialog
          trace={trace}
          remove={() => deleteTrace(trace.id)}
          onClose={(wasDeleted) => {
            setDeleting(false);
            if (wasDeleted) void navigate({ to: paths.traces() });
          }}
        />
      ) : null}
    </article>
  );
}
