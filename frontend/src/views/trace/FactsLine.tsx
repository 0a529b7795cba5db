import type { ReactNode } from 'react';
import { useFormatTitles } from '../../api/catalog';
import type { Trace } from '../../api/types';
import { Count, Duration } from '../../components/Quantity';
import { TraceLength } from '../../components/TraceLength';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import styles from './FactsLine.module.css';

/** The facts that readers look for first, in one line: kernel, CPUs, length, events, clock, losses. */
export function FactsLine({ trace }: { readonly trace: Trace }) {
  if (trace.is_measurement) return <MeasurementFacts trace={trace} />;
  return (
    <ul className={styles.facts} aria-label="Facts">
      <Fact>{trace.kernel === null ? null : visibleText(trace.kernel)}</Fact>
      <Fact>{trace.tracer === null || trace.tracer === 'nop' ? null : visibleText(trace.tracer)}</Fact>
      <Fact>{counted(trace.cpu_count, 'CPU', 'CPUs')}</Fact>
      <Fact>{trace.duration_ns === null ? null : <TraceLength trace={trace} />}</Fact>
      <Fact>{counted(eventCount(trace), 'event', 'events')}</Fact>
      <Fact>{counted(trace.call_count || null, 'call', 'calls')}</Fact>
      <Fact>{trace.clock === null ? null : `clock ${visibleText(trace.clock)}`}</Fact>
      <Fact isOdd>{trace.time_origin === 'derived' ? 'times derived from durations' : null}</Fact>
      <Fact isOdd>{counted(trace.lost_events || null, 'event lost', 'events lost')}</Fact>
    </ul>
  );
}

/** Threads have numbers in place of CPUs, and values without times have no total length. */
function MeasurementFacts({ trace }: { readonly trace: Trace }) {
  const titles = useFormatTitles();
  const hasTimes = trace.time_origin !== 'derived';
  return (
    <ul className={styles.facts} aria-label="Facts">
      <Fact>measurements</Fact>
      <Fact>
        {trace.format === null ? null : visibleText(programOf(titles.get(trace.format) ?? trace.format))}
      </Fact>
      <Fact>
        {hasTimes && trace.duration_ns !== null ? <Duration value={ns(trace.duration_ns)} /> : null}
      </Fact>
      <Fact>{trace.clock === null ? null : `clock ${visibleText(trace.clock)}`}</Fact>
    </ul>
  );
}

/** `cyclictest` of `cyclictest (text)`. */
const programOf = (title: string): string => title.replace(/ \(.*\)$/, '');

/** The lack of events is mentioned only where there are no calls either. */
function eventCount({ event_count, call_count }: Trace): number | null {
  return event_count === 0 && (call_count ?? 0) > 0 ? null : event_count;
}

/** One fact, or nothing where it is not known. */
function Fact({ children, isOdd }: { readonly children: ReactNode; readonly isOdd?: boolean }) {
  return children === null ? null : <li className={isOdd === true ? styles.odd : undefined}>{children}</li>;
}

function counted(count: number | null, one: string, many: string): ReactNode {
  if (count === null) return null;
  return (
    <>
      <Count value={count} /> {count === 1 ? one : many}
    </>
  );
}
