import type { ExperimentItem } from '../../api/experiments';
import { Button } from '../../components/button/Button';
import { comparedText, variantsText } from '../../components/experiment/comparisonTexts';
import { Count } from '../../components/Quantity';
import type { Column } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { formatWhen } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './ExperimentsView.module.css';

/** The columns of the list; `onAsk` opens the dialog for a deed. */
export function experimentColumns(
  onAsk: (deed: 'rename' | 'delete', experiment: ExperimentItem) => void,
): readonly Column<ExperimentItem>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      isWidest: true,
      cell: ({ slug, name, note }) => (
        <span className={styles.name}>
          <ViewLink to={paths.experiment(slug)} title={slug}>
            {visibleText(name)}
          </ViewLink>
          {note === '' ? null : (
            <span className={styles.note}>{visibleText(note.replaceAll('\n', ' '))}</span>
          )}
        </span>
      ),
    },
    { id: 'variants', title: 'Variants', rank: 2, cell: ({ variants }) => variantsText(variants) },
    {
      id: 'measure',
      title: 'Compares',
      rank: 2,
      cell: ({ measure }) => comparedText(measure),
    },
    {
      id: 'traces',
      title: 'Traces',
      isNumber: true,
      rank: 1,
      cell: ({ trace_count: count }) => (count === null ? 'by label' : <Count value={count} />),
    },
    { id: 'changed', title: 'Changed', rank: 1, cell: ({ changed_at: at }) => formatWhen(at) },
    {
      id: 'deeds',
      title: 'Change',
      isTitleUnseen: true,
      isNumber: true,
      cell: (experiment) => (
        <span className={styles.deeds}>
          <Button
            look="bare"
            label={`Rename ${visibleText(experiment.name)}`}
            onClick={() => onAsk('rename', experiment)}
          >
            ✎
          </Button>
          <Button
            look="bare"
            label={`Delete ${visibleText(experiment.name)}`}
            onClick={() => onAsk('delete', experiment)}
          >
            ✕
          </Button>
        </span>
      ),
    },
  ];
}
