import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { Measured } from '../../../components/Quantity';
import type { Column } from '../../../components/table/Table';
import { ViewLink } from '../../../components/ViewLink';
import { measureOfCase } from '../../../lib/measure';
import { taskLabel } from '../../../lib/taskKind';
import { visibleText } from '../../../lib/visibleText';
import { paths } from '../../../viewState/paths';
import { fullBar } from './chooseKind';
import styles from './WorstCases.module.css';

/** The columns of the table of cases; bars behind the durations say how much of the worst they are. */
export function worstColumns(
  traceId: string,
  rows: readonly LatencyItem[],
  kinds: readonly LatencyKind[],
): readonly Column<LatencyItem>[] {
  const full = fullBar(rows, kinds);
  const isTime = rows.every((row) => measureOfCase(row).isTime);
  const titles = new Map(kinds.map(({ kind, title }) => [kind, title]));
  return [
    {
      id: 'kind',
      title: 'Kind',
      cell: (row) => (
        <ViewLink to={paths.case(traceId, row.id)} title={visibleText(titles.get(row.kind) ?? row.kind)}>
          {visibleText(row.kind)}
        </ViewLink>
      ),
    },
    {
      id: 'duration',
      title: isTime ? 'Length' : 'Value',
      isNumber: true,
      share: (row) => row.duration_ns / full,
      cell: (row) => <Measured value={row.duration_ns} measure={measureOfCase(row)} />,
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
      isWidest: true,
      cell: (row) => <span title={visibleText(row.headline)}>{visibleText(row.headline)}</span>,
    },
  ];
}
