import { saveBaseline } from '../../api/baselines';
import { filterText, type SampleFilter } from '../../components/compare/filterText';
import { ExperimentDialog } from '../../components/experiment/ExperimentDialog';
import type { TrendState } from '../../viewState/trend';

interface SaveBaselineProps {
  readonly title: string;
  readonly name: string;
  readonly runs: Pick<TrendState, 'labels' | 'traces'>;
  /** What the page keeps to, and so does the baseline. */
  readonly samples: SampleFilter;
  /** Called with its slug. */
  readonly onSaved: (slug: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a baseline, and saves runs as one. */
export function SaveBaseline({ title, name, runs, samples, onSaved, onClose }: SaveBaselineProps) {
  const { labels, traces } = runs;
  const { cpu, comm, priority } = samples;
  const kept = filterText(samples);
  return (
    <ExperimentDialog
      title={title}
      deed="Save"
      words={{ name, note: '' }}
      onSave={async (words) =>
        onSaved((await saveBaseline({ ...words, labels, traces, cpu, comm, priority })).slug)
      }
      onClose={onClose}
    >
      {kept === undefined ? null : `${kept} Checks against it have to keep to the same.`}
    </ExperimentDialog>
  );
}
