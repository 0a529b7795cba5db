import { comparisonOf, type CompareRequest } from '../../api/compare';
import type { Experiment } from '../../api/experiments';
import { compareState, type CompareState } from '../../viewState/compare';
import { PRIORITY_CLASSES } from '../../viewState/trace';

/** The parts of the state that say what is compared; all others say how it is shown. */
const COMPARED: ReadonlySet<string> = new Set([
  'variants',
  'kind',
  'key',
  'cpu',
  'comm',
  'priority',
  'rows',
  'columns',
]);

/** The state of the page that a saved comparison opens with. */
export function stateOf({ comparison, view }: Pick<Experiment, 'comparison' | 'view'>): CompareState {
  const { measure, variants, where, strata } = comparison;
  const [kind, key] =
    typeof measure.field === 'string'
      ? ['field', measure.field]
      : typeof measure.source === 'string'
        ? ['measured', measure.source]
        : [measure.kind ?? '', ''];
  return {
    ...compareState.read(view).state,
    variants: variants.map(({ name, traces, labels }) =>
      Object.keys(labels).length > 0 ? { name, traces: [], labels } : { name, traces },
    ),
    kind,
    key,
    cpu: where.cpu ?? undefined,
    comm: where.comm ?? '',
    priority: PRIORITY_CLASSES.filter((name) => where.priority_class?.split(',').includes(name)),
    rows: strata[0] ?? '',
    columns: strata[1] ?? '',
  };
}

/** What is saved of the page. What it shows when nothing is chosen may be another measure some day, so it is named. */
export function savedOf(state: CompareState, asked: CompareRequest): Pick<Experiment, 'comparison' | 'view'> {
  const written = Object.entries(compareState.write(state)).filter(([name]) => !COMPARED.has(name));
  return { comparison: comparisonOf(asked), view: Object.fromEntries(written) };
}

/** Whether the page shows something else than what was saved. */
export function isChanged(state: CompareState, saved: Pick<Experiment, 'comparison' | 'view'>): boolean {
  const [now, then] = [state, stateOf(saved)].map((one) => JSON.stringify(compareState.write(one)));
  return now !== then;
}
