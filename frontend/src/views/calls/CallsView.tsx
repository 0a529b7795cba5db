import { useParams } from '@tanstack/react-router';
import { useTrace } from '../../api/traces';
import { TraceGate } from '../../components/TraceGate';
import { Calls } from './Calls';

/** The calls page. */
export default function CallsView() {
  const { trace: id = '' }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  return <TraceGate query={trace}>{(ready) => <Calls key={ready.id} trace={ready} />}</TraceGate>;
}
