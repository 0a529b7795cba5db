/** How something is recorded that Jitterscope can explain. */
export interface Recipe {
  readonly title: string;
  /** Which question the recording answers. */
  readonly answers: string;
  readonly commands: string;
}

export const RECIPES: readonly Recipe[] = [
  {
    title: 'A latency spike that stops cyclictest',
    answers: 'Shows which interrupt, softirq or task ran between the timer and the thread.',
    commands: [
      'trace-cmd start -e sched -e irq -e timer -b 20000',
      'cyclictest -S -m -p 90 -b 200 --tracemark',
      'trace-cmd stop',
      'trace-cmd extract -o spike.dat',
    ].join('\n'),
  },
  {
    title: 'Every function inside the timer interrupt',
    answers: 'Shows which calls only the slow interrupt made.',
    commands: 'trace-cmd record -p function_graph -g hrtimer_interrupt -o timer.dat sleep 5',
  },
  {
    title: 'The longest stretch with interrupts off',
    answers: 'Shows who disabled them, for how long, and the call stack.',
    commands: [
      'cd /sys/kernel/tracing',
      'echo irqsoff > current_tracer',
      'echo 0 > tracing_max_latency',
      'sleep 10',
      'cat trace > /tmp/irqsoff.txt',
    ].join('\n'),
  },
];

/**
 * The command that records what is named: events (`sched:sched_switch`), each once, in the order given, and a tracer
 * (`function_graph tracer`). Anything else is left out: the line is meant for a root shell.
 */
export function recordCommand(needs: Iterable<string>): string {
  const named = [...new Set(needs)];
  const tracers = named.flatMap((need) => /^([a-z_]+) tracer$/.exec(need)?.[1] ?? []);
  const events = named.filter((need) => /^[A-Za-z_]\w*(:[A-Za-z_]\w*)?$/.test(need));
  return [
    'trace-cmd record',
    ...tracers.slice(0, 1).map((tracer) => `-p ${tracer}`),
    ...events.map((event) => `-e ${event}`),
    '-o next.dat sleep 10',
  ].join(' ');
}

/** The command that records calls of a function; none for a name that would mean more than a name to a root shell. */
export function recordCallsCommand(symbol: string): string | undefined {
  return /^[A-Za-z_][\w.]*$/.test(symbol)
    ? `trace-cmd record -p function_graph -g ${symbol} -o normal.dat sleep 10`
    : undefined;
}
