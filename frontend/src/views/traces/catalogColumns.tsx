import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Labels } from '../../components/labels/Labels';
import { Progress } from '../../components/Progress';
import { Bytes, Count } from '../../components/Quantity';
import { RulerThumbnail } from '../../components/ruler/RulerThumbnail';
import type { Column } from '../../components/table/Table';
import { Length, TraceLength } from '../../components/TraceLength';
import { ViewLink } from '../../components/ViewLink';
import { countText, groupDigits } from '../../lib/ns';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { formatWhen } from '../../lib/stamp';
import { paths } from '../../viewState/paths';
import styles from './catalogColumns.module.css';
import { noWorstText } from './noWorst';
import { SelectBox } from './SelectBox';

/** How rows are selected. */
export interface RowSelection {
  readonly isChosen: (id: string) => boolean;
  readonly toggle: (id: string, isStretch: boolean) => void;
  readonly areAllChosen: boolean;
  readonly isAnyChosen: boolean;
  readonly togglePage: () => void;
}

/** The boxes before the names. */
export function selectColumn(selection: RowSelection): Column<Trace> {
  return {
    id: 'select',
    title: 'Select',
    head: (
      <SelectBox
        label="Select all traces on this page"
        isChecked={selection.areAllChosen}
        isPartly={selection.isAnyChosen && !selection.areAllChosen}
        onToggle={selection.togglePage}
      />
    ),
    cell: (trace) => (
      <SelectBox
        label={`Select ${visibleText(trace.name)}`}
        isChecked={selection.isChosen(trace.id)}
        onToggle={(isStretch) => selection.toggle(trace.id, isStretch)}
      />
    ),
  };
}

/** The catalog's columns. `onLabel` narrows to a label, `onDelete` asks whether to delete a trace. */
export function catalogColumns(
  onLabel: (label: string) => void,
  onDelete: (trace: Trace) => void,
): readonly Column<Trace>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      sort: { name: 'name', preferred: 'ascending' },
      cell: (trace) => (
        <span className={styles.name}>
          <ViewLink to={paths.trace(trace.id)} title={visibleText(trace.filename)}>
            {visibleText(trace.name)}
          </ViewLink>
          {trace.status === 'ready' ? null : (
            <span className={styles.narrow}>
              <State trace={trace} />
            </span>
          )}
          <Labels labels={trace.labels} onChoose={onLabel} />
        </span>
      ),
    },
    ...ANSWER,
    ...RECORDING,
    {
      id: 'delete',
      title: 'Delete',
      isTitleUnseen: true,
      isNumber: true,
      rank: 1,
      cell: (trace) => (
        <Button look="bare" label={`Delete ${visibleText(trace.name)}`} onClick={() => onDelete(trace)}>
          ✕
        </Button>
      ),
    },
  ];
}

/** What people come for: how late the worst was, and why. */
const ANSWER: readonly Column<Trace>[] = [
  {
    id: 'worst',
    title: 'Worst case',
    has: ({ worst }) => worst !== null,
    sort: { name: 'worst', preferred: 'descending' },
    isNumber: true,
    cell: (trace) => <Worst trace={trace} />,
  },
  {
    id: 'why',
    title: 'Why',
    has: (trace) => trace.worst !== null || trace.status === 'failed' || noWorstText(trace) !== undefined,
    isSentence: true,
    cell: (trace) => <Why trace={trace} />,
  },
];

/** What was recorded, when, and how much of it. */
const RECORDING: readonly Column<Trace>[] = [
  {
    id: 'status',
    title: 'State',
    sort: { name: 'status', preferred: 'ascending' },
    rank: 2,
    cell: (trace) => <State trace={trace} />,
  },
  {
    id: 'warnings',
    title: 'Warnings',
    has: ({ warnings }) => warnings.length > 0,
    isNumber: true,
    rank: 2,
    cell: (trace) => <Warnings trace={trace} />,
  },
  {
    id: 'kernel',
    title: 'Kernel',
    has: ({ kernel }) => kernel !== null,
    sort: { name: 'kernel', preferred: 'ascending' },
    rank: 4,
    cell: (trace) => (
      <span className={styles.kernel} title={visibleText(trace.kernel ?? '')}>
        {visibleText(trace.kernel ?? '')}
      </span>
    ),
  },
  {
    id: 'tracer',
    title: 'Tracer',
    has: (trace) => tracerOf(trace) !== undefined,
    sort: { name: 'tracer', preferred: 'ascending' },
    rank: 4,
    cell: (trace) => visibleText(tracerOf(trace) ?? ''),
  },
  {
    id: 'cpus',
    title: 'CPUs',
    has: (trace) => !trace.is_measurement,
    sort: { name: 'cpu_count', preferred: 'descending' },
    isNumber: true,
    rank: 3,
    // Threads have numbers in place of CPUs.
    cell: (trace) => (trace.is_measurement ? null : <Count value={trace.cpu_count} />),
  },
  {
    id: 'duration',
    title: 'Length',
    has: (trace) => lengthOf(trace) !== null,
    sort: { name: 'duration_ns', preferred: 'descending' },
    isNumber: true,
    rank: 3,
    cell: (trace) => (lengthOf(trace) === null ? null : <TraceLength trace={trace} />),
  },
  {
    id: 'records',
    title: 'Records',
    sort: { name: 'record_count', preferred: 'descending' },
    isNumber: true,
    rank: 4,
    cell: (trace) => <Records trace={trace} />,
  },
  {
    id: 'size',
    title: 'Size',
    sort: { name: 'size_bytes', preferred: 'descending' },
    isNumber: true,
    rank: 4,
    cell: (trace) => <Bytes value={trace.size_bytes} />,
  },
  {
    id: 'created',
    title: 'Added',
    sort: { name: 'created_at', preferred: 'descending' },
    isNumber: true,
    rank: 2,
    cell: (trace) => <time dateTime={trace.created_at}>{formatWhen(trace.created_at)}</time>,
  },
];

/** Values that were given no time lie a nanosecond apart, and have no length together. */
function lengthOf(trace: Trace): number | null {
  return trace.is_measurement && trace.time_origin === 'derived' ? null : trace.duration_ns;
}

/** `nop` is the tracer that traces nothing: events were recorded. */
const tracerOf = ({ tracer }: Trace) => (tracer === 'nop' || tracer === null ? undefined : tracer);

function State({ trace }: { readonly trace: Trace }) {
  if (trace.status === 'ready') return <span className={styles.ready}>ready</span>;
  if (trace.status === 'failed') {
    return (
      <span className={styles.failed} title={visibleText(trace.error?.sentence ?? '')}>
        failed
      </span>
    );
  }
  return (
    <span className={styles.progress}>
      <Progress ratio={trace.progress} label={`${visibleText(trace.name)}: ${trace.status}`} />
      {trace.status}
    </span>
  );
}

/** How long the worst latency was; opens its page. Its kind on hover. */
function Worst({ trace: { id, worst, time_unit: unit } }: { readonly trace: Trace }) {
  if (worst === null) return null;
  const length = <Length value={worst.duration_ns} unit={unit} />;
  if (worst.id === null) return length;
  return (
    <ViewLink to={paths.case(id, worst.id)} title={visibleText(worst.kind)}>
      {length}
    </ViewLink>
  );
}

/** What is wrong with the file, and the way out. */
const failureOf = ({ error }: Trace) =>
  sentenceText([error?.sentence, error?.remedy].filter(Boolean).join(' '));

/** Why the worst was late, and its way in proportion; else what there is in its place. */
function Why({ trace }: { readonly trace: Trace }) {
  const headline = trace.worst?.headline ?? '';
  if (trace.status === 'failed') return <span className={styles.ready}>{failureOf(trace)}</span>;
  const absent = noWorstText(trace);
  if (absent !== undefined) return <span className={styles.ready}>{absent}</span>;
  const ruler = trace.worst?.ruler ?? null;
  return (
    <>
      <span title={visibleText(headline)}>{sentenceText(headline)}</span>
      {ruler === null ? null : <RulerThumbnail ruler={ruler} />}
    </>
  );
}

/** Events and calls together: a recording of only functions has no event, and is not empty. */
function Records({ trace: { event_count: events, call_count: calls } }: { readonly trace: Trace }) {
  if (events === null || calls === null) return null;
  return (
    <span title={`${countText(events, 'event')}, ${countText(calls, 'call')}`}>
      <Count value={events + calls} />
    </span>
  );
}

/** How many kinds of warnings there are: millions of lost events are still one thing to look at. */
function Warnings({ trace }: { readonly trace: Trace }) {
  if (trace.warnings.length === 0) return null;
  const isHarmless = trace.warnings.every((warning) => warning.severity === 'info');
  const sentences = trace.warnings.map(({ count, sentence }) => `${groupDigits(count)} × ${sentence}`);
  return (
    <span className={isHarmless ? styles.mild : styles.warnings} title={visibleText(sentences.join('\n'))}>
      <Count value={trace.warnings.length} />
    </span>
  );
}
