/** The parts of an event that are written out. */
interface WrittenEvent {
  readonly args: { readonly [name: string]: unknown };
  readonly raw: string;
}

type Flags = { readonly [name: string]: unknown };

/** The arguments as `name=value`, as ftrace prints them; the original line where there are none. */
export function argsText(event: WrittenEvent): string {
  const pairs = Object.entries(event.args);
  return pairs.length === 0 ? event.raw : pairs.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}

/** The flags as ftrace's columns show them, `dNh2.`, and spelled out. */
export function flagsText(flags: Flags | null): { readonly short: string; readonly long: string } {
  if (flags === null) return { short: '', long: '' };
  const set = Object.entries(flags).filter(([, value]) => value !== false && value !== 0 && value !== null);
  return {
    short: `${irqsColumn(flags)}${reschedColumn(flags)}${contextColumn(flags)}${depthColumn(flags['preempt_depth'])}${depthColumn(flags['migrate_disable_depth'])}`,
    long: set
      .map(([name, value]) => (value === true ? spaced(name) : `${spaced(name)} ${String(value)}`))
      .join(', '),
  };
}

// Source: trace_print_lat_fmt in kernel/trace/trace_output.c, Linux 6.13.
function irqsColumn(flags: Flags): string {
  if (flags['irqs_off'] === true) return flags['bh_off'] === true ? 'D' : 'd';
  return flags['bh_off'] === true ? 'b' : '.';
}

function reschedColumn(flags: Flags): string {
  const [need, lazy, preempt] = [flags['need_resched'], flags['need_resched_lazy'], flags['preempt_resched']];
  if (need === true) return lazy === true ? (preempt === true ? 'B' : 'b') : preempt === true ? 'N' : 'n';
  if (lazy === true) return preempt === true ? 'L' : 'l';
  return preempt === true ? 'p' : '.';
}

function contextColumn(flags: Flags): string {
  const isHardirq = flags['hardirq'] === true;
  if (flags['nmi'] === true) return isHardirq ? 'Z' : 'z';
  if (flags['softirq'] === true) return isHardirq ? 'H' : 's';
  return isHardirq ? 'h' : '.';
}

const depthColumn = (depth: unknown) => (typeof depth === 'number' && depth > 0 ? depth.toString(16) : '.');

const spaced = (name: string) => name.replaceAll('_', ' ');
