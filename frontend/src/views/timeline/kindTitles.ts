/** What a slice of each kind of lane is. */
export const KIND_TITLES: Readonly<Record<string, string>> = {
  sched: 'Running task',
  irq: 'Interrupt',
  softirq: 'Softirq',
  irqsoff: 'Interrupts off',
  preemptoff: 'Preemption off',
  noise: 'Noise, as the tracer reports it',
  idle: 'Idle state',
};
