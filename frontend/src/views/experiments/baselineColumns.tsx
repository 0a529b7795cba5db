import type { BaselineItem } from '../../api/baselines';
import { Button } from '../../components/button/Button';
import { baselineSearch, heldText } from '../../components/experiment/baselineTexts';
import type { Column } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { formatWhen } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './ExperimentsView.module.css';

/** The columns of the list; `onDelete` opens its dialog. */
export function baselineColumns(onDelete: (baseline: BaselineItem) => void): readonly Column<BaselineItem>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      isWidest: true,
      cell: (baseline) => (
        <span className={styles.name}>
          <ViewLink to={paths.trend()} search={baselineSearch(baseline)}>
            {visibleText(baseline.name)}
          </ViewLink>
          {baseline.note === '' ? null : (
            <span className={styles.note}>{visibleText(baseline.note.replaceAll('\n', ' '))}</span>
          )}
        </span>
      ),
    },
    { id: 'address', title: 'Address', rank: 2, cell: ({ slug }) => <code>{slug}</code> },
    { id: 'holds', title: 'Holds', rank: 1, cell: heldText },
    { id: 'saved', title: 'Saved', rank: 1, cell: ({ created_at: at }) => formatWhen(at) },
    {
      id: 'deeds',
      title: 'Change',
      isTitleUnseen: true,
      isNumber: true,
      cell: (baseline) => (
        <Button look="bare" label={`Delete ${visibleText(baseline.name)}`} onClick={() => onDelete(baseline)}>
          ✕
        </Button>
      ),
    },
  ];
}
