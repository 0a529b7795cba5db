import type {
  ComparedCause,
  ComparedVariant,
  CompareRequest,
  OfferedMeasure,
  SelectedVariant,
} from '../../api/compare';
import type { DiffRef } from '../../viewState/diff';
import type { PriorityClass } from '../../viewState/trace';

/** What groups of cases are of: a kind, the tasks of one name, and those of some classes; of all where none is named. */
export interface GroupedBy {
  readonly kind: string;
  readonly comm: string;
  readonly priority: readonly PriorityClass[];
}

/** Kinds whose samples are no stretches of a trace: another program's numbers, values of fields. */
const WITHOUT_EVENTS = new Set(['measured', 'field']);

/** The largest number of traces in a group. */
const MOST_TRACES = 20;

/**
 * What the cases behind a comparison are. Measurements have none: then those of the traces beside them, of the kind that
 * is offered first, and of the program that measured, if a task of its name ran in them.
 */
export function groupedBy(
  { kind, key, comm, priority }: CompareRequest,
  measures: readonly OfferedMeasure[],
  causes: readonly Pick<ComparedCause, 'what'>[],
): GroupedBy | undefined {
  if (!WITHOUT_EVENTS.has(kind)) return { kind, comm, priority };
  if (kind === 'field') return undefined;
  const found = measures.find((one) => one.variants > 1 && !WITHOUT_EVENTS.has(one.kind))?.kind;
  const sources = key === null ? measures.filter((one) => one.kind === kind).map((one) => one.key) : [key];
  const programs = new Set(sources.flatMap((source) => source?.split(' ')[0] ?? []));
  const [program = ''] = programs.size === 1 ? programs : [];
  const hasRun = causes.some(({ what }) => what === program);
  return found === undefined ? undefined : { kind: found, comm: hasRun ? program : '', priority: [] };
}

/** The cases of a variant as one side of a comparison, those of at least so many nanoseconds. */
export function groupOf(
  { traces }: SelectedVariant,
  { kind, comm, priority }: GroupedBy,
  cpu: number | undefined,
  least: number | undefined,
): DiffRef | undefined {
  const [trace, ...others] = traces.slice(0, MOST_TRACES).map(({ id }) => id);
  if (trace === undefined || /[;/]/.test(comm)) return undefined;
  const filters = [
    ...(comm === '' ? [] : [`comm=${comm}`]),
    ...(priority.length === 0 ? [] : [`priority_class=${priority.join(',')}`]),
    ...(cpu === undefined ? [] : [`cpu=${cpu}`]),
    ...(least === undefined ? [] : [`min=${least}ns`]),
  ];
  return { trace, ...(others.length > 0 && { others }), id: [`cases:${kind}`, ...filters].join(';') };
}

/** From where on cases are slow: the p99 of the samples, where these are the cases; else nothing is known. */
export const slowFrom = (asked: CompareRequest, { p99_ns: p99 }: ComparedVariant) =>
  WITHOUT_EVENTS.has(asked.kind) ? undefined : (p99 ?? undefined);
