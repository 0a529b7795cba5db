import type { PriorityClass } from '../../viewState/trace';

interface Choice {
  readonly comm: string;
  readonly priority: readonly PriorityClass[] | undefined;
}

interface Measure {
  /** The class whose tasks all of the traces measure. */
  readonly measured_class: PriorityClass | null;
}

/** The classes that a page keeps to: those chosen, else the one that its traces were recorded to look at. */
export function keptClasses(
  { comm, priority }: Choice,
  measure: Measure | undefined,
): readonly PriorityClass[] {
  if (priority !== undefined) return priority;
  const own = measure?.measured_class ?? null;
  // Tasks of one name are meant as they are.
  return own === null || comm !== '' ? [] : [own];
}
