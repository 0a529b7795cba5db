import type { TraceEvent } from '../../api/events';

/** The arguments as `name=value`, as ftrace prints them; the original line where there are none. */
export function argsText(event: Pick<TraceEvent, 'args' | 'raw'>): string {
  const pairs = Object.entries(event.args);
  return pairs.length === 0 ? event.raw : pairs.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}

/** The flags that are set: as ftrace's own columns would mark them, and spelled out. */
export function flagsText(flags: TraceEvent['flags']): { readonly short: string; readonly long: string } {
  if (flags === null) return { short: '', long: '' };
  const set = Object.entries(flags).filter(([, value]) => value !== false && value !== 0 && value !== null);
  const short = set
    .map(([name, value]) => SIGNS[name] ?? (typeof value === 'number' ? String(value) : ''))
    .join('');
  return {
    short,
    long: set
      .map(([name, value]) => (value === true ? spaced(name) : `${spaced(name)} ${String(value)}`))
      .join(', '),
  };
}

// Source: Documentation/trace/ftrace.rst, "Output format", Linux 6.12.
const SIGNS: Readonly<Record<string, string>> = {
  irqs_off: 'd',
  need_resched: 'N',
  hardirq: 'h',
  softirq: 's',
  nmi: 'z',
};

const spaced = (name: string) => name.replaceAll('_', ' ');
