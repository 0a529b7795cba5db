import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { runQuery } from '../../api/run';
import { deleteTrace, isFinal, useLoadAgain, useTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { ClockContext } from '../../components/clock/useClock';
import { DeleteTraceDialog } from '../../components/dialog/DeleteTraceDialog';
import { FailedPage } from '../../components/problem/FailedQuery';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import { EventTypesPanel } from './EventTypesPanel';
import { FactsTable } from './FactsTable';
import { FunctionsPanel } from './FunctionsPanel';
import { LatencyPanels } from './latencies/LatencyPanels';
import { MissingPanel } from './MissingPanel';
import { TraceHead } from './TraceHead';
import styles from './TraceView.module.css';
import { RunPanel } from './RunPanel';
import { WarningsPanel } from './WarningsPanel';
import { useTraceProgress } from '../../api/progress';
import { Progress } from '../../components/Progress';
import { clockOf } from '../../lib/clock';
import { progressWords } from '../../lib/progressWords';
import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { problemOf, problemOfTrace } from '../../lib/problem';

// The chart library is large: the facts do not wait for it, but it comes while the server is asked for them.
const loadStrip = () => import('./OverviewStrip');
const OverviewStrip = lazy(loadStrip);

/** What one trace is: facts, warnings, what it lacks, its costliest functions, its events, and the way into the other views. */
export default function TraceView() {
  const { trace: id }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  useEffect(() => void loadStrip(), []);
  if (trace.data) {
    return (
      <ClockContext value={clockOf(trace.data.time_unit)}>
        <TraceOverview key={trace.data.id} trace={trace.data} />
      </ClockContext>
    );
  }
  if (!trace.isError) return <TraceSkeleton />;
  return <FailedPage query={trace} />;
}

function TraceOverview({ trace }: { readonly trace: Trace }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const isReady = trace.status === 'ready';
  // A file of measurements has no events of the kernel's, and lacks none.
  const isTrace = !trace.is_measurement;
  // What was measured in its run comes first, and all else is below that.
  const run = useQuery({ ...runQuery(trace.id), enabled: isReady });
  const isWaiting = isReady && run.isPending;
  return (
    <article data-status={trace.status}>
      <TraceHead trace={trace} onDelete={() => setDeleting(true)} />
      {isFinal(trace) ? null : <ReadingProgress trace={trace} />}
      {trace.error ? (
        <FailedTrace id={trace.id} error={trace.error} onDelete={() => setDeleting(true)} />
      ) : null}
      {isReady ? (
        <>
          <RunPanel traceId={trace.id} />
          <div className={styles.rest} data-waiting={isWaiting}>
            <LatencyPanels trace={trace} />
            {trace.duration_ns && !Object.hasOwn(trace.missing, 'sched') ? (
              <Suspense fallback={<div className={styles.overview} />}>
                <OverviewStrip traceId={trace.id} durationNs={trace.duration_ns} />
              </Suspense>
            ) : null}
            {trace.warnings.length > 0 ? <WarningsPanel trace={trace} /> : null}
            {(trace.call_count ?? 0) > 0 ? <FunctionsPanel trace={trace} /> : null}
            {isTrace && (trace.event_count ?? 0) > 0 ? <EventTypesPanel trace={trace} /> : null}
            {isTrace ? <MissingPanel missing={trace.missing} /> : null}
          </div>
        </>
      ) : null}
      <div className={styles.rest} data-waiting={isWaiting}>
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

/** How far the server is with reading the trace, live. The page can be left; the reading continues. */
function ReadingProgress({ trace }: { readonly trace: Trace }) {
  const progress = useTraceProgress(trace.id, true);
  const isWaiting = (progress?.status ?? trace.status) === 'queued';
  return (
    <section className={styles.reading} aria-label="Reading">
      <Progress ratio={progress?.progress ?? trace.progress} label="Reading the trace" />
      <p>
        {isWaiting
          ? 'Waiting for the traces before it. You can leave this page; it will still be read.'
          : progress
            ? progressWords(progress)
            : trace.status}
      </p>
    </section>
  );
}

/** Holds the place of the head and the facts until they arrive, so that nothing jumps. */
function TraceSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading the trace">
      <span />
      <span />
    </div>
  );
}

interface FailedTraceProps {
  readonly id: string;
  readonly error: NonNullable<Trace['error']>;
  readonly onDelete: () => void;
}

/** What kept the file from being read that is not in the file, and so may be gone. */
const CURABLE: ReadonlySet<string> = new Set(['io', 'crash', 'limit']);

/** Why the trace could not be loaded, and the ways out; loading it again where that can help. */
function FailedTrace({ id, error, onDelete }: FailedTraceProps) {
  const again = useLoadAgain(id);
  return (
    <>
      <ProblemNote problem={problemOfTrace(error)}>
        {CURABLE.has(error.class) ? (
          <Button onClick={() => again.mutate()} disabled={again.isPending}>
            Load again
          </Button>
        ) : null}
        <Button look="danger" onClick={onDelete}>
          Delete
        </Button>
        <ViewLink to={paths.traces()}>All traces</ViewLink>
      </ProblemNote>
      {again.isError ? <ProblemNote problem={problemOf(again.error)} /> : null}
    </>
  );
}
