import { lazy, Suspense } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Loading } from '../../components/Loading';
import { Panel } from '../../components/panel/Panel';
import { Strip } from '../../components/strip/Strip';
import { measureOfCase } from '../../lib/measure';
import { recordedOrigin } from '../../lib/stamp';
import { Blame } from './Blame';
import { CaseEvents } from './CaseEvents';
import { CaseFacts } from './CaseFacts';
import { CaseHead } from './CaseHead';
import styles from './CasePage.module.css';
import { lanesHeight } from './caseMarks';
import { CaseStacks } from './CaseStacks';
import { Stages } from './Stages';
import { TracerParts } from './TracerParts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { caseQuery } from '../../api/latencies';
import { useTrace } from '../../api/traces';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { TraceGate } from '../../components/TraceGate';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';

// The chart library is large, and the sentence at the top should not wait for it.
const CaseTimeline = lazy(() => import('./CaseTimeline'));

interface CasePageProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
}

/** One latency from its headline down to its events: how late, through which stages, because of what. */
export function CasePage({ trace, latencyCase }: CasePageProps) {
  // A bare number is no time that anything could have taken.
  const { isTime } = measureOfCase(latencyCase);
  return (
    <article className={styles.page} data-rendered={latencyCase.id}>
      <CaseHead trace={trace} latencyCase={latencyCase} />
      <CaseFacts latencyCase={latencyCase} originNs={recordedOrigin(trace)} />
      {latencyCase.stages.length > 0 ? <Stages latencyCase={latencyCase} /> : null}
      <div className={isTime ? styles.columns : undefined}>
        {isTime && <Blame traceId={trace.id} latencyCase={latencyCase} />}
        <div className={styles.around}>
          <Panel title="Around the case">
            <Suspense fallback={<TimelineToCome height={lanesHeight(latencyCase)} />}>
              <CaseTimeline trace={trace} latencyCase={latencyCase} />
            </Suspense>
          </Panel>
          {latencyCase.parts.length > 0 ? <TracerParts parts={latencyCase.parts} /> : null}
          <CaseStacks latencyCase={latencyCase} />
        </div>
      </div>
      <CaseEvents trace={trace} latencyCase={latencyCase} />
    </article>
  );
}

/** The place of the lanes and of the line under them. */
function TimelineToCome({ height }: { readonly height: number }) {
  return (
    <>
      <div style={{ height }}>
        <Loading what="the timeline" />
      </div>
      <Strip>{null}</Strip>
    </>
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
