import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { Measured } from '../../../components/Quantity';
import type { Column } from '../../../components/table/Table';
import { Term } from '../../../components/term/Term';
import { ViewLink } from '../../../components/ViewLink';
import { measureOfCase } from '../../../lib/measure';
import { taskLabel } from '../../../lib/taskKind';
import { sentenceText, visibleText } from '../../../lib/visibleText';
import { paths } from '../../../viewState/paths';
import { logScale, placeOn } from './worstOfEach';
import styles from './WorstCases.module.css';

/** The columns of the table of cases; their bars are on one logarithmic scale, whatever was measured. */
export function worstColumns(
  traceId: string,
  rows: readonly LatencyItem[],
  kinds: readonly LatencyKind[],
): readonly Column<LatencyItem>[] {
  const scale = logScale(rows.map(({ duration_ns }) => duration_ns));
  const isTime = rows.every((row) => measureOfCase(row).isTime);
  const known = new Map(kinds.map((kind) => [kind.kind, kind]));
  return [
    {
      id: 'kind',
      title: 'Kind',
      cell: (row) => {
        const kind = known.get(row.kind);
        const link = <ViewLink to={paths.case(traceId, row.id)}>{visibleText(row.kind)}</ViewLink>;
        return kind ? (
          <Term title={kind.title} meaning={kind.definition}>
            {link}
          </Term>
        ) : (
          link
        );
      },
    },
    {
      id: 'duration',
      title: isTime ? 'Duration' : 'Value',
      isNumber: true,
      cell: (row) => <Measured value={row.duration_ns} measure={measureOfCase(row)} />,
    },
    {
      id: 'bar',
      title: 'on a logarithmic scale',
      isTitleUnseen: true,
      rank: 1,
      bar: (row) => placeOn(scale, row.duration_ns),
      cell: () => null,
    },
    { id: 'cpu', title: 'CPU', isNumber: true, rank: 1, cell: (row) => row.cpu },
    {
      id: 'task',
      title: 'Task',
      rank: 1,
      cell: (row) => {
        const name = row.pid === null ? '' : visibleText(taskLabel(row.comm, row.pid));
        return (
          <code className={styles.task} title={name}>
            {name}
          </code>
        );
      },
    },
    {
      id: 'headline',
      title: 'Why',
      isSentence: true,
      cell: (row) => <span title={visibleText(row.headline)}>{sentenceText(row.headline)}</span>,
    },
  ];
}
