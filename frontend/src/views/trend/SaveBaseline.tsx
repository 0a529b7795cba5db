import { saveBaseline } from '../../api/baselines';
import { ExperimentDialog } from '../../components/experiment/ExperimentDialog';
import type { TrendState } from '../../viewState/trend';

interface SaveBaselineProps {
  readonly title: string;
  readonly name: string;
  readonly runs: Pick<TrendState, 'labels' | 'traces' | 'cpu' | 'comm'>;
  /** Whether the page keeps to tasks of one class, which a baseline does not. */
  readonly isOfOneClass: boolean;
  /** Called with its slug. */
  readonly onSaved: (slug: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a baseline, and saves runs as one. */
export function SaveBaseline({ title, name, runs, isOfOneClass, onSaved, onClose }: SaveBaselineProps) {
  const { labels, traces, cpu, comm } = runs;
  return (
    <ExperimentDialog
      title={title}
      deed="Save"
      words={{ name, note: '' }}
      onSave={async (words) => onSaved((await saveBaseline({ ...words, labels, traces, cpu, comm })).slug)}
      onClose={onClose}
    >
      {isOfOneClass ? 'It will hold tasks of all classes, and the trend then shows all of them, too.' : null}
    </ExperimentDialog>
  );
}
