import { ns } from '../lib/ns';
import { Count, Duration } from './Quantity';

interface Measured {
  readonly duration_ns: number | null;
  readonly time_unit: string | null;
}

/** How long a recording is: in time, or, where its clock counts steps of unknown length, in steps. */
export function TraceLength({ trace }: { readonly trace: Measured }) {
  const { duration_ns: length, time_unit: unit } = trace;
  if (length === null) return null;
  if (unit !== 'ticks') return <Duration value={ns(length)} />;
  return (
    <>
      <Count value={length} /> clock ticks
    </>
  );
}
