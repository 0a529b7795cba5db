import { choiceField, numberSetField, rangeField, textField, type Field } from './fields';
import { FUNCTION_SORTS } from './trace';
import { viewSpec } from './viewSpec';

/** The calls: flame chart over time, merged flame graph or table of functions, and what is in focus there. */
export const callsState = viewSpec({
  show: choiceField<'chart' | 'graph' | 'functions'>(['chart', 'graph', 'functions']),
  by: choiceField<'cpu' | 'task'>(['cpu', 'task']),
  window: rangeField(),
  cpu: numberSetField(0, 8191),
  pid: numberSetField(0, 4_194_304),
  /** Public id of the selected call. */
  call: callIdField(),
  order: choiceField<'top-down' | 'bottom-up' | 'sandwich'>(['top-down', 'bottom-up', 'sandwich']),
  /** Wall time, or the CPU time of the calls' own task. */
  time: choiceField<'gross' | 'net'>(['gross', 'net']),
  /**
   * Names from the root of the merged graph to the function that fills the screen, `;` between them; in a sandwich,
   * `callers:` precedes a path upwards.
   */
  focus: textField(2000),
  q: textField(),
  sort: choiceField(FUNCTION_SORTS),
  /** The function whose calls are drawn over time, or whose callers and callees are. */
  of: textField(512),
  /** The two of them that are to be compared. */
  abnormal: callIdField(),
  normal: callIdField(),
});

export type CallsState = ReturnType<typeof callsState.read>['state'];

/** `call-1213@2563694114000.3`, `call-cpu1@77.0`: owner, start in nanoseconds, depth. */
const CALL_ID = /^call-(cpu\d{1,5}|\d{1,10})@(-?\d{1,16})\.(\d{1,5})$/;

function callIdField(): Field<string | undefined> {
  return {
    fallback: undefined,
    parse: (text) => (CALL_ID.test(text) ? text : undefined),
    print: (id) => id ?? '',
    wants: 'a call such as call-1213@2160118.3',
  };
}
