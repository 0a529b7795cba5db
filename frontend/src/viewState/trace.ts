import {
  choiceField,
  countField,
  nsField,
  numberSetField,
  optionalChoiceField,
  rangeField,
  textField,
  type Field,
} from './fields';
import { stratumField } from './stratum';
import { viewSpec } from './viewSpec';

const SORTED_BY = ['count', 'total', 'self', 'min', 'p50', 'p99', 'max'] as const;

type SortedBy = (typeof SORTED_BY)[number] | 'symbol';

/** How the functions of a trace can be sorted; `-` is the largest first. */
export type FunctionSort = SortedBy | `-${SortedBy}`;

export const FUNCTION_SORTS: readonly [FunctionSort, ...FunctionSort[]] = [
  '-total',
  'total',
  ...SORTED_BY.filter((name) => name !== 'total').flatMap((name): FunctionSort[] => [`-${name}`, name]),
  'symbol',
  '-symbol',
];

export const DISTRIBUTION_FORMS = ['histogram', 'percentiles', 'shelves'] as const;

export type DistributionForm = (typeof DISTRIBUTION_FORMS)[number];

export const FIELD_UNITS = ['ns', 'us', 'ms', 's', 'none'] as const;

/** The unit of a field's numbers; `recorded` is the one that the text of the events gives. */
export type FieldUnit = 'recorded' | (typeof FIELD_UNITS)[number];

export const EXTREMES = ['smallest', 'largest'] as const;

export type Extreme = (typeof EXTREMES)[number];

export const LATENCY_GROUPS = [
  'none',
  'cpu',
  'pid',
  'comm',
  'key',
  'sleep',
  'frequency',
  'idle_state',
] as const;

export type LatencyGrouping = (typeof LATENCY_GROUPS)[number];

const TASKS_SORTED_BY = ['priority', 'worst', 'count', 'task'] as const;

/** How the tasks that were measured can be sorted; `-priority` is the most urgent first, then the worst case. */
export type TaskSort = (typeof TASKS_SORTED_BY)[number] | `-${(typeof TASKS_SORTED_BY)[number]}`;

export const TASK_SORTS: readonly [TaskSort, ...TaskSort[]] = [
  '-priority',
  'priority',
  ...TASKS_SORTED_BY.slice(1).flatMap((name): TaskSort[] => [`-${name}`, name]),
];

export const PRIORITY_CLASSES = ['deadline', 'real_time', 'fair'] as const;

export type PriorityClass = (typeof PRIORITY_CLASSES)[number];

export const CLASS_NAMES = { deadline: 'deadline', real_time: 'real-time', fair: 'fair' } as const;

/**
 * The overview of one trace: which latencies are looked at and how, which functions are listed in which order, and
 * the warning whose lines are open.
 */
export const traceState = viewSpec({
  /** The kind of latency that is drawn; empty for the one that the trace is most likely about. */
  kind: kindField(),
  /** For the kind `field`: the one whose values are drawn, as `<event>.<field>`; empty for all that are times. */
  field: textField(512),
  unit: choiceField<FieldUnit>(['recorded', ...FIELD_UNITS]),
  /** Whose latencies are looked at: the pid of a task; those of one class; all. */
  task: countField(1, 4_194_304),
  priority: choiceField<'any' | (typeof PRIORITY_CLASSES)[number]>(['any', ...PRIORITY_CLASSES]),
  /** The order of the tasks that were measured. */
  order: choiceField<TaskSort>(TASK_SORTS),
  /** Whether the table of worst cases has one of each kind or the worst of the chosen kind. */
  worst: choiceField<'each' | 'kind'>(['each', 'kind']),
  /** Of bare numbers, the end that is listed; absent for the worse one. */
  extreme: optionalChoiceField<Extreme>(EXTREMES),
  /** The durations that the cases of the chosen kind are of, such as a band of the tail. */
  band: rangeField(),
  /** The part of the samples that has one value of what they are told apart by. */
  stratum: stratumField(),
  /** The stretch of the trace that is drawn and counted. */
  window: rangeField(),
  scale: choiceField<'log' | 'linear'>(['log', 'linear']),
  /** Absent for the one that fits: sorted samples of bare numbers, bars of times. */
  form: optionalChoiceField<DistributionForm>(DISTRIBUTION_FORMS),
  group: choiceField<LatencyGrouping>(LATENCY_GROUPS),
  /** How wide a bar of the histogram is; absent for parts of powers of two, where the values span any. */
  bucket: nsField(),
  /** The CPUs whose latencies are drawn; none named means all. */
  cpu: numberSetField(0, 8191),
  /** Whether the table of interference has what was taken from each CPU or from each task. */
  taken: choiceField<'cpu' | 'task'>(['cpu', 'task']),
  q: textField(),
  sort: choiceField(FUNCTION_SORTS),
  warning: textField(64),
});

export type TraceState = ReturnType<typeof traceState.read>['state'];

/** `wakeup`, `irqsoff`, `field.hrtimer_cb.delta`: a kind of latency as the API names it. */
function kindField(): Field<string> {
  return {
    fallback: '',
    parse: (text) => (/^[a-z][A-Za-z0-9_.:-]{0,127}$/.test(text) ? text : undefined),
    print: (kind) => kind,
    wants: 'a kind of latency such as wakeup',
  };
}
