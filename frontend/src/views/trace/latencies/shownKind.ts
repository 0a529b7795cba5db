import type { SamplesOf, TasksOf } from '../../../api/latencies';
import type { LatencyKind } from '../../../api/latencyTypes';
import type { Trace } from '../../../api/types';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { usualKind } from '../../../lib/usualKind';
import { groupDigits } from '../../../lib/ns';

/** What the charts show: a kind of latency, or one field of events. */
export interface ShownKind extends LatencyKind {
  /** The kind's own name, or the field's. */
  readonly label: string;
  /** What its samples are asked for by. */
  readonly request: SamplesOf;
}

/** What a chart of them is given. */
export interface KindChartProps {
  readonly trace: Trace;
  readonly kind: ShownKind;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
  /** Leads to the cases that are listed further up. */
  readonly onShowCases: () => void;
}

/** What the link names, else the kind that the trace is most likely about; nothing where there are no samples. */
export function shownKind(
  kinds: readonly LatencyKind[],
  {
    kind,
    field,
    unit,
    stratum,
    ...tasks
  }: Pick<TraceState, 'kind' | 'field' | 'unit' | 'task' | 'priority' | 'stratum'>,
): ShownKind | undefined {
  const ofFields = kinds.find((known) => known.kind === FIELD);
  if (ofFields !== undefined && field !== '' && (kind === FIELD || kind === '')) {
    return {
      ...ofFields,
      title: field,
      label: field,
      definition:
        'The values of this field. Read in a unit of time, each is the interval that ends at its event.',
      request: {
        kind: FIELD,
        field,
        unit: unit === 'recorded' ? undefined : unit,
        ...tasksOf(tasks),
        ...stratumOf(stratum),
      },
    };
  }
  const chosen = usualKind(kinds, kind);
  return (
    chosen && {
      ...chosen,
      label: chosen.kind,
      request: { kind: chosen.kind, ...tasksOf(tasks), ...stratumOf(stratum) },
    }
  );
}

const FIELD = 'field';

/** The parameter that asks for one part of the samples. */
function stratumOf(stratum: TraceState['stratum']): Partial<SamplesOf> {
  if (stratum === undefined) return {};
  return stratum.name === 'pid' ? { pid: Number(stratum.value) } : { [stratum.name]: stratum.value };
}

/** The parameters that narrow an answer to the chosen task or class; none where nothing is chosen. */
export function tasksOf({ task, priority }: Pick<TraceState, 'task' | 'priority'>): TasksOf {
  return {
    ...(task !== undefined && { pid: task }),
    ...(priority !== 'any' && { priority_class: priority }),
  };
}

/** The durations whose cases are listed, which every picture of the kind shows. */
export const chosenBand = ({ worst, band }: TraceState) => (worst === 'kind' ? band : undefined);

/** Half-open in the address, and both ends included where the server is asked. */
export const bandLengths = (band: TraceState['band']) => ({
  min: band && `${band.start}ns`,
  max: band && `${band.end - 1}ns`,
});

/** How many samples, as people say it: `1 sample`, `3,616 samples`. */
export function samplesText(count: number): string {
  return `${groupDigits(count)} ${count === 1 ? 'sample' : 'samples'}`;
}

/**
 * How many of a kind began or ended unseen, or in lost events, so that they are no samples: functions count such calls.
 * Known of the whole trace only, so nothing is said of a part of it.
 */
export function unmeasuredText({ incomplete, request }: ShownKind, { window }: Pick<TraceState, 'window'>) {
  const isPart = window !== undefined || Object.keys(request).length > 1;
  const count = incomplete
    .filter(({ reason }) => reason !== 'not_listed')
    .reduce((sum, one) => sum + one.count, 0);
  return isPart || count === 0 ? '' : ` · ${groupDigits(count)} unmeasured`;
}
