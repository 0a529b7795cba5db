import { saveBaseline } from '../../api/baselines';
import { ExperimentDialog } from '../../components/experiment/ExperimentDialog';
import type { TrendState } from '../../viewState/trend';

interface SaveBaselineProps {
  readonly title: string;
  readonly name: string;
  readonly runs: Pick<TrendState, 'labels' | 'traces' | 'cpu' | 'comm'>;
  /** Called with its slug. */
  readonly onSaved: (slug: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a baseline, and saves runs as one. */
export function SaveBaseline({ title, name, runs, onSaved, onClose }: SaveBaselineProps) {
  const { labels, traces, cpu, comm } = runs;
  return (
    <ExperimentDialog
      title={title}
      deed="Save"
      words={{ name, note: '' }}
      onSave={async (words) => onSaved((await saveBaseline({ ...words, labels, traces, cpu, comm })).slug)}
      onClose={onClose}
    />
  );
}
