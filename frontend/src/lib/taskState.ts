/** What the letters of `prev_state` mean. Source: task_state_array in fs/proc/array.c, Linux 6.12. */
const STATES: Readonly<Record<string, string>> = {
  R: 'runnable',
  'R+': 'preempted while running',
  S: 'sleeping',
  D: 'uninterruptible sleep',
  T: 'stopped',
  t: 'stopped by a tracer',
  X: 'dead',
  Z: 'zombie',
  P: 'parked',
  I: 'idle',
};

/** `S, sleeping`: the state in which a task left the CPU; as recorded where its letters are not known. */
export function taskStateText(prevState: string): string {
  const words = STATES[prevState] ?? STATES[prevState.charAt(0)];
  return words === undefined ? prevState : `${prevState}, ${words}`;
}
