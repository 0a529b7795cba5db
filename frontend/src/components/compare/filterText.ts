import { visibleText } from '../../lib/visibleText';
import { CLASS_NAMES, type PriorityClass } from '../../viewState/trace';

export interface SampleFilter {
  readonly cpu: number | undefined;
  readonly comm: string;
  readonly priority: readonly PriorityClass[];
}

/**
 * `Only real-time tasks named cyclictest, on CPU 1.`; nothing where all samples are meant. Why they are these is said
 * where nobody chose a class.
 */
export function filterText({ cpu, comm, priority }: SampleFilter, isChosen = true): string | undefined {
  const classes = priority.map((name) => CLASS_NAMES[name]).join(' and ');
  const tasks = [classes, 'tasks', ...(comm === '' ? [] : ['named', visibleText(comm)])];
  const parts = [
    ...(classes === '' && comm === '' ? [] : [tasks.filter((word) => word !== '').join(' ')]),
    ...(cpu === undefined ? [] : [`on CPU ${cpu}`]),
  ];
  if (parts.length === 0) return undefined;
  const why = isChosen || classes === '' ? '' : ' These are what the traces measure.';
  return `Only ${parts.join(', ')}.${why}`;
}
