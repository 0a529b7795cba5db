/** What a slice of each kind of lane is. */
export const KIND_TITLES: Readonly<Record<string, string>> = {
  sched: 'Running task',
  irq: 'Interrupt',
  softirq: 'Softirq',
  idle: 'Idle state',
};
