import { useParams } from '@tanstack/react-router';
import { problemOf, problemOfTrace } from '../../lib/problem';
import { useTrace } from '../../api/traces';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import { Timeline } from './Timeline';

/** The timeline page, once its trace is loaded. */
export default function TimelineView() {
  const { trace: id = '' }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  if (trace.isError) return <ProblemNote problem={problemOf(trace.error)} />;
  if (trace.data === undefined) return <Loading what="the trace" />;
  if (trace.data.status !== 'ready') {
    const problem = trace.data.error
      ? problemOfTrace(trace.data.error)
      : { status: 0, code: trace.data.status, title: 'This trace is still being read' };
    return (
      <ProblemNote problem={problem}>
        <ViewLink to={paths.trace(id)}>How far it is, and why</ViewLink>
      </ProblemNote>
    );
  }
  return <Timeline key={id} trace={trace.data} />;
}
