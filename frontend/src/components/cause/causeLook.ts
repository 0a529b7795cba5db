import { symbolColour, taskColour, type Colour, type ThemeName } from '../../lib/colour';
import { isKernelThread } from '../../lib/taskKind';

const CAUSE_NAMES: ReadonlyMap<string, string> = new Map([
  ['nmi', 'NMI'],
  ['irq', 'hard interrupt'],
  ['softirq', 'softirq'],
  ['irqsoff', 'interrupts off'],
  ['preemptoff', 'preemption off'],
  ['task', 'other task'],
  ['itself', 'the task itself'],
  ['idle', 'idle'],
  ['noise', 'noise reported by the tracer'],
  ['gap', 'hardware or a hypervisor'],
  ['unknown', 'not recorded'],
]);

/** What people call a cause of lost time; a cause of a newer server by its own name. */
export function causeName(cause: string): string {
  return CAUSE_NAMES.get(cause) ?? cause;
}

/** The noise that the osnoise tracer sums up has its name in it: `irq local_timer:236`, `thread sleep-373`. */
const NOISES: ReadonlyMap<string, string> = new Map([
  ['nmi', 'nmi'],
  ['irq', 'irq'],
  ['softirq', 'softirq'],
  ['thread', 'task'],
]);

/** What a cause is drawn as: noise as what made it, so that an interrupt has one colour everywhere. */
export function drawnCause(cause: string, what: string): { readonly cause: string; readonly what: string } {
  const [, source = '', name = ''] = /^(\w+) (.*)$/.exec(what) ?? [];
  const drawn = cause === 'noise' ? NOISES.get(source) : undefined;
  return drawn === undefined ? { cause, what } : { cause: drawn, what: name };
}

/** Summed causes have no name: `9 others`. */
const OTHERS = /^\d+ others?$/;

/**
 * The colour of a task's time, the same as on the timeline, and of a function's, the same as in the call charts;
 * nothing for kernel threads and for what is neither.
 */
export function causeColour(cause: string, what: string, theme: ThemeName): Colour | undefined {
  if (cause !== 'task' && cause !== 'itself') return undefined;
  // All causes of a kind together.
  if (what === '') return undefined;
  const [, comm, pid] = /^(.*)-(\d+)(?: .*)?$/.exec(what) ?? [];
  // A task has a pid; a cause without one is a function of the call that took the time.
  if (comm === undefined) return OTHERS.test(what) ? undefined : symbolColour(what, theme);
  return isKernelThread(comm) ? undefined : taskColour(comm, theme, Number(pid));
}
