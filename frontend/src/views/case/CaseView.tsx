import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { caseQuery } from '../../api/latencies';
import { useTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { TraceGate } from '../../components/TraceGate';
import { ViewLink } from '../../components/ViewLink';
import { problemOf } from '../../lib/problem';
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
    <ProblemNote isPage problem={problemOf(found.error)}>
      <Button onClick={() => void found.refetch()}>Ask again</Button>
      <ViewLink to={paths.trace(trace.id)}>The worst cases of this trace</ViewLink>
    </ProblemNote>
  );
}
