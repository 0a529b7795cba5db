import { ns } from '../lib/ns';
import { Count, Duration } from './Quantity';

interface Measured {
  readonly duration_ns: number | null;
  readonly time_unit: string | null;
}

/** How long a recording is. */
export function TraceLength({
  trace: { duration_ns: length, time_unit: unit },
}: {
  readonly trace: Measured;
}) {
  return length === null ? null : <Length value={length} unit={unit} />;
}

/** A length of a recording: in time, or, where its clock counts steps of unknown length, in steps. */
export function Length({ value, unit }: { readonly value: number; readonly unit: string | null }) {
  if (unit !== 'ticks') return <Duration value={ns(value)} />;
  return (
    <>
      <Count value={value} /> clock ticks
    </>
  );
}
