import { saveBaseline } from '../../api/baselines';
import type { TrendRequest } from '../../api/trend';
import { ExperimentDialog } from '../../components/experiment/ExperimentDialog';
import { CLASS_NAMES } from '../../viewState/trace';
import type { TrendState } from '../../viewState/trend';

interface SaveBaselineProps {
  readonly title: string;
  readonly name: string;
  readonly runs: Pick<TrendState, 'labels' | 'traces' | 'cpu' | 'comm'>;
  /** The classes of tasks that the page keeps to, which a baseline does not. */
  readonly priority: TrendRequest['priority'];
  /** Called with its slug. */
  readonly onSaved: (slug: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a baseline, and saves runs as one. */
export function SaveBaseline({ title, name, runs, priority, onSaved, onClose }: SaveBaselineProps) {
  const { labels, traces, cpu, comm } = runs;
  return (
    <ExperimentDialog
      title={title}
      deed="Save"
      words={{ name, note: '' }}
      onSave={async (words) => onSaved((await saveBaseline({ ...words, labels, traces, cpu, comm })).slug)}
      onClose={onClose}
    >
      {priority.length > 0 ? allClassesText(priority) : null}
    </ExperimentDialog>
  );
}

/** What is saved is more than what is shown. */
const allClassesText = (priority: TrendRequest['priority']) =>
  `A baseline holds tasks of all classes, and checks against it count all of them, not only ${priority
    .map((name) => CLASS_NAMES[name])
    .join(' and ')} tasks. Once it is saved, the trend shows all of them, too.`;
