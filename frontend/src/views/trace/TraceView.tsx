import { useParams } from '@tanstack/react-router';
import { problemOf } from '../../api/problem';
import { useTrace } from '../../api/traces';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Duration } from '../../components/Quantity';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';

/** What one trace is. */
export default function TraceView() {
  const { trace: id }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  if (trace.isError) return <ProblemNote problem={problemOf(trace.error)} />;
  if (!trace.data) return <Loading what="the trace" />;
  const { kernel, duration_ns: duration } = trace.data;
  return (
    <p>
      {visibleText(kernel ?? 'kernel unknown')} ·{' '}
      {duration === null ? null : <Duration value={ns(duration)} />}
    </p>
  );
}
