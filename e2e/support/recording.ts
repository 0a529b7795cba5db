/** The head of a text recording of two CPUs. */
export const header = `# tracer: nop
#
# entries-in-buffer/entries-written: 3/3   #P:2
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
`;

/** A recording of three events in which a task with this name runs for 30 µs; the name makes the file unique. */
export function recordingOf(comm: string): string {
  const switches = [
    ['000', '100.000010', 'swapper/0', 0, 'R', comm, 7],
    ['000', '100.000040', comm, 7, 'S', 'swapper/0', 0],
    ['001', '100.000050', 'swapper/1', 0, 'R', comm, 7],
  ] as const;
  const lines = switches.map(([cpu, stamp, prev, prevPid, state, next, nextPid]) => {
    const task = `${prevPid === 0 ? '<idle>' : prev}-${prevPid}`.padStart(16);
    const args = `prev_comm=${prev} prev_pid=${prevPid} prev_prio=120 prev_state=${state} ==> next_comm=${next} next_pid=${nextPid} next_prio=120`;
    return `${task}       [${cpu}] d..2.   ${stamp}: sched_switch: ${args}\n`;
  });
  return header + lines.join('');
}

/** A file for an upload field. */
export function textFile(name: string, text: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}
