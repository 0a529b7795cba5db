import type { ReactNode } from 'react';
import { useFormatTitles } from '../../api/catalog';
import type { Trace } from '../../api/types';
import { Fold } from '../../components/panel/Fold';
import { Bytes, Count } from '../../components/Quantity';
import { TraceLength } from '../../components/TraceLength';
import { clockOf, type Clock } from '../../lib/clock';
import { groupDigits, ns } from '../../lib/ns';
import { ranges } from '../../lib/ranges';
import { formatWhen } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import styles from './FactsTable.module.css';

/** Everything that is known about the recording and the file, one fact a line. */
export function FactsTable({ trace }: { readonly trace: Trace }) {
  return (
    <Fold title="About this trace" note="recording and file" isOpen={trace.status !== 'ready'}>
      <div className={styles.facts}>
        <dl>
          <RecordingFacts trace={trace} />
        </dl>
        <dl>
          <FileFacts trace={trace} />
        </dl>
      </div>
    </Fold>
  );
}

const firstStamp = (originNs: string, { stamp, isCounting }: Clock) =>
  `${stamp(originNs, ns(0))}${isCounting ? '' : '\u202fs'}`;

function RecordingFacts({ trace }: { readonly trace: Trace }) {
  return (
    <>
      <Fact name="kernel">{text(trace.kernel)}</Fact>
      <Fact name="tracer">{text(trace.tracer)}</Fact>
      <Fact name="clock">{text(trace.clock)}</Fact>
      <Fact name="time unit">{trace.time_unit === 'ns' ? null : text(trace.time_unit)}</Fact>
      <Fact name="time">
        {trace.time_origin === 'derived'
          ? trace.is_measurement
            ? 'none in the file: values lie one after the other'
            : 'derived from durations: the file has no timestamps'
          : null}
      </Fact>
      <Fact name="first record">
        {trace.origin_ns === null ? null : firstStamp(trace.origin_ns, clockOf(trace.time_unit))}
      </Fact>
      <Fact name="length">
        {trace.duration_ns === null || hasNoLength(trace) ? null : <TraceLength trace={trace} />}
      </Fact>
      <Fact name="CPUs">{trace.cpus === null ? null : cpus(trace.cpus)}</Fact>
      <Fact name="events">{count(trace.event_count)}</Fact>
      {trace.buffers.map(({ name, event_count }) => (
        <Fact key={name ?? ''} name={name === null ? 'in the top buffer' : `in ${visibleText(name)}`}>
          {count(event_count)}
        </Fact>
      ))}
      <Fact name="slices">{count(trace.slice_count)}</Fact>
      <Fact name="calls">{count(trace.call_count)}</Fact>
      <Fact name="events lost">{count(trace.lost_events)}</Fact>
      <Fact name="places of loss">{count(trace.losses_total || null)}</Fact>
    </>
  );
}

function FileFacts({ trace }: { readonly trace: Trace }) {
  const titles = useFormatTitles();
  return (
    <>
      <Fact name="file">{visibleText(trace.filename)}</Fact>
      <Fact name="format">
        {trace.format === null ? null : text(titles.get(trace.format) ?? trace.format)}
      </Fact>
      <Fact name="size">{bytes(trace.size_bytes)}</Fact>
      <Fact name="expanded">
        {trace.expanded_bytes === trace.size_bytes ? null : bytes(trace.expanded_bytes)}
      </Fact>
      <Fact name="bytes read">{bytes(trace.used_bytes)}</Fact>
      <Fact name="bytes skipped">{trace.skipped_bytes === 0 ? 'none' : bytes(trace.skipped_bytes)}</Fact>
      {Object.entries(trace.facts).map(([name, value]) => (
        <Fact key={name} name={visibleText(name).replaceAll('_', ' ')}>
          {plain(value)}
        </Fact>
      ))}
      <Fact name="SHA-256">
        <code>{trace.sha256}</code>
      </Fact>
      <Fact name="added">{formatWhen(trace.created_at)}</Fact>
      <Fact name="read by version">{text(trace.parser_version)}</Fact>
    </>
  );
}

/** Where values have no times, their number is no length. */
const hasNoLength = (trace: Trace) => trace.time_origin === 'derived' && trace.is_measurement;

/** One fact, or nothing where it is not known. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === null) return null;
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function text(value: string | null): ReactNode {
  return value === null || value === '' ? null : visibleText(value);
}

/** How many, and which: only `0` would read as none. */
function cpus(present: readonly number[]): ReactNode {
  return present.length === 0 ? 'none' : `${groupDigits(present.length)} (${ranges(present)})`;
}

function count(value: number | null): ReactNode {
  return value === null ? null : <Count value={value} />;
}

function bytes(value: number | null): ReactNode {
  return value === null ? null : <Bytes value={value} />;
}

/** A fact of the file in whatever form the file has it. */
function plain(value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return null;
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
}
