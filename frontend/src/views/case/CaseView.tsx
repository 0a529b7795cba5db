import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { caseQuery } from '../../api/latencies';
import { useTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { TraceGate } from '../../components/TraceGate';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import { CasePage } from './CasePage';

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
  const found = useQuery(caseQuery(trace.id, id));
  if (found.data !== undefined) return <CasePage trace={trace} found={found.data} />;
  if (!found.isError) return <Loading what="the case" />;
  return (
    <FailedQuery isPage query={found}>
      <ViewLink to={paths.trace(trace.id)}>The worst cases of this trace</ViewLink>
    </FailedQuery>
  );
}
