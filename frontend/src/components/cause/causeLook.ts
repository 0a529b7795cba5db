import { taskColour, type Colour, type ThemeName } from '../../lib/colour';
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
  ['noise', 'noise, as the tracer reports it'],
  ['gap', 'hardware or hypervisor'],
  ['unknown', 'not recorded'],
]);

/** What people call a cause of lost time; a cause of a newer server by its own name. */
export function causeName(cause: string): string {
  return CAUSE_NAMES.get(cause) ?? cause;
}

/** The colour of a task's time, the same as on the timeline; nothing for kernel threads and for what is no task. */
export function causeColour(cause: string, what: string, theme: ThemeName): Colour | undefined {
  if (cause !== 'task' && cause !== 'itself') return undefined;
  const comm = what.replace(/-\d+( .*)?$/, '');
  return isKernelThread(comm) ? undefined : taskColour(comm, theme);
}
