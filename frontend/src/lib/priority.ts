/** A task's priority as people set it, and the kernel's own number. */
export interface Priority {
  /** `rt 80`, `nice 0`, `deadline`. */
  readonly text: string;
  /** `prio 19`. */
  readonly kernel: string;
}

/**
 * The priority behind the number that scheduling events record: negative for the deadline class, 0 to 98 for the
 * real-time classes, whose 99 is the kernel's 0, and 100 to 139 for nice -20 to 19.
 * Nothing for 99, which no task can have, and beyond 139: the idle task has 120, stopped CPUs have none.
 * Source: include/linux/sched/prio.h, Linux 6.12.
 */
export function priorityOf(prio: number | null | undefined): Priority | undefined {
  if (prio === null || prio === undefined || !Number.isSafeInteger(prio)) return undefined;
  const kernel = `prio ${prio}`;
  if (prio < 0) return { text: 'deadline', kernel };
  if (prio <= 98) return { text: `rt ${99 - prio}`, kernel };
  return prio >= 100 && prio <= 139 ? { text: `nice ${prio - 120}`, kernel } : undefined;
}
