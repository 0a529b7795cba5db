import { classesField, withAllClasses } from './classes';
import { choiceField, countField, textField, traceIdsField, type Field } from './fields';
import { viewSpec } from './viewSpec';

/** The numbers of a run that can be followed; p99 unless another one is asked for. */
export const TREND_STATS = [
  'p99_ns',
  'p50_ns',
  'p99_9_ns',
  'max_ns',
  'mean_ns',
  'p90_ns',
  'p99_99_ns',
] as const;

export type TrendStat = (typeof TREND_STATS)[number];

/** What a check against a baseline allows; a tenth more unless another factor is asked for. */
export const ALLOWANCES = ['1.1', '1', '1.05', '1.2', '1.5', '2'] as const;

type Allowance = (typeof ALLOWANCES)[number];

const MOST_TRACES = 2_000;
const MOST_LABELS = 20;

/** One number of many traces: which traces, which number, in which order. */
export const trendState = viewSpec(
  {
    /** Traces that have all of these labels, those to come, too. */
    labels: labelsField(),
    /** Traces by their ids, where no labels select them. */
    traces: traceIdsField(MOST_TRACES),
    /** A kind of latency; empty for the most informative one that most traces have. */
    kind: textField(64),
    /** A source of measurements, or a field of events. */
    key: textField(512),
    cpu: countField(0, 32_767),
    /** Only tasks of this name. */
    comm: textField(64),
    /** Only tasks of these classes; where none is chosen, those of a baseline are of all. */
    priority: classesField(),
    /** The label whose values are the order, or `BY_NAME`; that of uploads where it is empty. */
    by: textField(64),
    stat: choiceField<TrendStat>(TREND_STATS),
    /** The slug of the baseline whose number is drawn behind the runs. */
    baseline: textField(80),
    /** How many times its number a run may reach. */
    allow: choiceField<Allowance>(ALLOWANCES),
    scale: choiceField<'log' | 'linear'>(['log', 'linear']),
  },
  [withAllClasses],
);

export type TrendState = ReturnType<typeof trendState.read>['state'];

/** `board:rpi4;job:nightly`: values with the sign that parts them escaped. */
function labelsField(): Field<readonly string[]> {
  return {
    fallback: [],
    parse: (text) => {
      const labels = text.split(';').map(decoded);
      const areGood = labels.length <= MOST_LABELS && labels.every((label) => isLabel(label));
      return areGood ? labels.filter((label) => label !== undefined) : undefined;
    },
    print: (labels) => labels.map((label) => label.replaceAll('%', '%25').replaceAll(';', '%3B')).join(';'),
    wants: 'labels such as board:rpi4;job:nightly',
  };
}

const isLabel = (label: string | undefined) => label !== undefined && /^[^:]{1,63}:[^\n]{1,200}$/.test(label);

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
