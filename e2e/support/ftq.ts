const QUANTA = 2000;
/** So many units of work fit into a quantum of 1 ms in which nothing else runs. */
const UNDISTURBED = 1094;

/** Numbers between 0 and 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) % 2_147_483_648;
    return Math.abs(state) / 2_147_483_648;
  };
}

/** What ftq prints: of `share` of all quanta of a millisecond, `units` of work are taken. */
export function ftqCounts(seed: number, share: number, units: number): string {
  const next = numbers(seed);
  const lines = Array.from({ length: QUANTA }, (_, at) => {
    const taken = at % 20 < share * 20 ? units : 0;
    const rest = at % 97 === 0 ? Math.floor(next() * 60) : Number(next() < 0.3);
    return `${at}\t${5_000_000_000 + seed + at * 1_000_000}\t${UNDISTURBED - taken - rest}`;
  });
  return [`# ftq cpu=1 quantum_ns=1000000 n=${QUANTA} work=64 clock=CLOCK_MONOTONIC`, ...lines, ''].join(
    '\n',
  );
}

const switchLine = (at: string, before: string, after: string) => {
  const pid = (name: string) => (name === 'ftq' ? 68 : 0);
  const task = before === 'ftq' ? 'ftq-68' : '<idle>-0';
  return `${task} [001] d..2. ${at}: sched_switch: prev_comm=${before} prev_pid=${pid(before)} prev_prio=120 prev_state=S ==> next_comm=${after} next_pid=${pid(after)} next_prio=120`;
};

/** A tick of 12 µs in ftq, on CPU 1. */
function tickLines(atUs: number): readonly string[] {
  const stamp = (us: number) => (5 + us / 1e6).toFixed(6);
  const head = 'ftq-68 [001] d.h1. ';
  const timer = 'hrtimer=00000000cef0b1d7';
  return [
    `${head}${stamp(atUs)}: local_timer_entry: vector=236`,
    `${head}${stamp(atUs + 2)}: hrtimer_expire_entry: ${timer} function=tick_nohz_handler now=1`,
    `${head}${stamp(atUs + 9)}: hrtimer_expire_exit: ${timer}`,
    `${head}${stamp(atUs + 12)}: local_timer_exit: vector=236`,
  ];
}

/** The trace of two seconds of ftq on CPU 1, with a tick every so many milliseconds; never where it is not said. */
export function ftqTrace(tickMs?: number): string {
  const ticks = Array.from({ length: tickMs === undefined ? 1 : QUANTA / tickMs }, (_, at) =>
    tickLines(100 + at * 1000 * (tickMs ?? 0)),
  );
  const idle = 'swapper/1';
  const lines = [switchLine('5.000000', idle, 'ftq'), ...ticks.flat(), switchLine('7.000000', 'ftq', idle)];
  return `# tracer: nop\n#\n${lines.join('\n')}\n`;
}

/** Counts and traces of three kernels, as files to upload; `name` begins their names. */
export const ftqFiles = (name: string): readonly { name: string; mimeType: string; buffer: Buffer }[] =>
  [
    { kernel: 'hz1000', share: 1, units: 15, tickMs: 1 },
    { kernel: 'hz250', share: 0.25, units: 15, tickMs: 4 },
    { kernel: 'nohz', share: 0.85, units: 14, tickMs: undefined },
  ].flatMap(({ kernel, share, units, tickMs }) => [
    file(`${name}-${kernel}.txt`, ftqTrace(tickMs)),
    file(`${name}-${kernel}.counts.tsv`, ftqCounts(name.length + kernel.length, share, units)),
  ]);

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
