/** Lateness of a sleeper as it prints it. */
function sleeper(periodNs: number, lateNs: readonly number[]): string {
  const lines = lateNs.map((late, at) => `${at}\t${45_000_000_000 + at * periodNs + late}\t${late}`);
  const head = `# jitter cpu=1 period_ns=${periodNs} n=${lateNs.length} prio=0 mode=absolute`;
  return `${head}\n#i\twake_ns(CLOCK_MONOTONIC)\tlate_ns\n${lines.join('\n')}\n`;
}

/** The trace of a sleeper whose timer is never late, and which runs as many µs after it. */
function slept(periodNs: number, afterUs: number): string {
  const stamp = (ns: number) =>
    `${Math.floor(ns / 1e9)}.${(ns % 1e9).toString().padStart(9, '0').slice(0, 6)}`;
  const task = 'prev_comm=jitter prev_pid=7 prev_prio=120';
  const idle = 'prev_comm=swapper/1 prev_pid=0 prev_prio=120';
  const lines = Array.from({ length: 20 }, (_, at) => {
    const due = 45_000_000_000 + at * periodNs;
    const [began, timer] = [due - periodNs / 2, 'hrtimer=00000000000000aa function=hrtimer_wakeup'];
    return [
      `jitter-7 [001] d..2. ${stamp(began)}: hrtimer_start: ${timer} expires=${due} softexpires=${due} mode=ABS`,
      `jitter-7 [001] d..2. ${stamp(began + 2000)}: sched_switch: ${task} prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120`,
      `<idle>-0 [001] d.h1. ${stamp(due + 1000)}: hrtimer_expire_entry: ${timer} now=${due + 1000}`,
      `<idle>-0 [001] d.h2. ${stamp(due + 2000)}: sched_waking: comm=jitter pid=7 prio=120 target_cpu=001`,
      `<idle>-0 [001] d..2. ${stamp(due + afterUs * 1000)}: sched_switch: ${idle} prev_state=R ==> next_comm=jitter next_pid=7 next_prio=120`,
    ].join('\n');
  });
  return `# tracer: nop\n#\n${lines.join('\n')}\n`;
}

/** Sleeps of four lengths, idle and loaded: of each what the program printed, and its trace. */
export function sleepFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [length, ns, leastNs] of [
    ['1s', 1e9, 64_000],
    ['1ms', 1e6, 70_000],
    ['100ms', 1e8, 66_000],
    ['10ms', 1e7, 71_000],
  ] as const) {
    const late = Array.from({ length: 20 }, (_, at) => leastNs + (at % 5) * 1000);
    files[`sleep-${length}-idle-6.12.samples.tsv`] = sleeper(ns, late);
    files[`sleep-${length}-idle-6.12.txt`] = slept(ns, 20);
    files[`sleep-${length}-load-6.12.txt`] = slept(ns, 40);
    files[`sleep-${length}-load-6.12.samples.tsv`] = sleeper(
      ns,
      late.map((one, at) => one * (1 + (at % 3))),
    );
  }
  return files;
}
