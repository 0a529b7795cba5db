import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { caseQuery } from '../../api/latencies';
import type { LatencyCase } from '../../api/latencyTypes';
import { useTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { TraceGate } from '../../components/TraceGate';
import { Unplaced } from '../../components/Unplaced';
import { ViewLink } from '../../components/ViewLink';
import { measureOfCase } from '../../lib/measure';
import { recordedOrigin } from '../../lib/stamp';
import { paths } from '../../viewState/paths';
import { Advice } from './Advice';
import { Blame } from './Blame';
import { CaseEvents } from './CaseEvents';
import { CaseFacts, CaseMore } from './CaseFacts';
import { CaseHead } from './CaseHead';
import styles from './CasePage.module.css';
import { CaseStacks } from './CaseStacks';
import { CaseWay } from './CaseWay';
import { Chain } from './Chain';
import { TracerParts } from './TracerParts';
import { useLit } from './useLit';

// The chart library is large, and the sentence at the top should not wait for it.
const CaseCalls = lazy(() => import('./CaseCalls'));

interface CasePageProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
}

/** One latency from its headline down to its events: how late, on which way, why. */
export function CasePage({ trace, latencyCase }: CasePageProps) {
  const lights = useLit(latencyCase);
  const { why = [] } = latencyCase;
  // A bare number is no time that anything could have taken.
  const { isTime } = measureOfCase(latencyCase);
  const hasCauses = isTime && !trace.is_measurement;
  // A recording of only calls has no lanes.
  const hasEvents = (trace.event_count ?? 0) > 0;
  return (
    <article className={styles.page} data-rendered={latencyCase.id}>
      <CaseHead trace={trace} latencyCase={latencyCase} />
      <CaseFacts trace={trace} latencyCase={latencyCase} originNs={recordedOrigin(trace)} />
      {latencyCase.call !== null && (
        <Suspense
          fallback={
            <div>
              <Loading what="the calls" />
              <Unplaced />
            </div>
          }
        >
          <CaseCalls trace={trace} latencyCase={latencyCase} call={latencyCase.call} />
        </Suspense>
      )}
      {(latencyCase.call === null || hasEvents) && (
        <CaseWay trace={trace} latencyCase={latencyCase} lights={lights} />
      )}
      {why.length > 0 && <Chain traceId={trace.id} latencyCase={latencyCase} why={why} lights={lights} />}
      <Advice advice={latencyCase.advice} recordNext={latencyCase.record_next} />
      {hasCauses && why.length === 0 && <Blame traceId={trace.id} latencyCase={latencyCase} />}
      {latencyCase.call === null && <CaseEvents trace={trace} latencyCase={latencyCase} lights={lights} />}
      {hasCauses && why.length > 0 && <Blame traceId={trace.id} latencyCase={latencyCase} isFolded />}
      {latencyCase.parts.length > 0 ? (
        <TracerParts parts={latencyCase.parts} areMeasured={trace.is_measurement} />
      ) : null}
      <CaseStacks latencyCase={latencyCase} />
      <CaseMore latencyCase={latencyCase} originNs={recordedOrigin(trace)} />
    </article>
  );
}

/** The page of one latency, which a permalink to a worst case opens. */
export default function CaseView() {
  const params: { readonly trace?: string; readonly case?: string } = useParams({ strict: false });
  const { trace: id = '', case: caseId = '' } = params;
  const trace = useTrace(id);
  return (
    <TraceGate query={trace}>{(ready) => <LoadedCase key={caseId} trace={ready} id={caseId} />}</TraceGate>
  );
}

function LoadedCase({ trace, id }: { readonly trace: Trace; readonly id: string }) {
  const query = useQuery(caseQuery(trace.id, id));
  if (query.data !== undefined) return <CasePage trace={trace} latencyCase={query.data} />;
  if (!query.isError) return <Loading what="the case" />;
  return (
    <FailedQuery isPage query={query}>
      <ViewLink to={paths.trace(trace.id)}>Worst cases of this trace</ViewLink>
    </FailedQuery>
  );
}
