import { useParams } from '@tanstack/react-router';
import { useTrace } from '../../api/traces';
import { TraceGate } from '../../components/TraceGate';
import { Timeline } from './Timeline';

/** The timeline page. */
export default function TimelineView() {
  const { trace: id = '' }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  return <TraceGate query={trace}>{(ready) => <Timeline key={ready.id} trace={ready} />}</TraceGate>;
}
