import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { Measured } from '../../../components/Quantity';
import type { Column } from '../../../components/table/Table';
import { TaskLink } from '../../../components/TaskLink';
import { Term } from '../../../components/term/Term';
import { ViewLink } from '../../../components/ViewLink';
import { measureOfCase } from '../../../lib/measure';
import { sentenceText, visibleText } from '../../../lib/visibleText';
import { groupDigits, ns } from '../../../lib/ns';
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
      cell: (row) => (
        // Leads where the kind leads, so Tab stops only there.
        <ViewLink to={paths.case(traceId, row.id)} tabIndex={-1}>
          <Measured value={row.duration_ns} measure={measureOfCase(row)} />
        </ViewLink>
      ),
    },
    {
      id: 'bar',
      title: 'on a logarithmic scale',
      isTitleUnseen: true,
      // On a tablet the sentences need its room.
      rank: 2,
      bar: (row) => placeOn(scale, row.duration_ns),
      cell: () => null,
    },
    { id: 'cpu', title: 'CPU', isNumber: true, rank: 1, cell: (row) => row.cpu },
    {
      id: 'task',
      title: 'Task',
      rank: 1,
      // What other programs measured may be of no task that is known.
      has: ({ pid }) => pid !== null,
      cell: ({ id, pid, comm, t, end }) =>
        pid === null ? null : (
          <code className={styles.task}>
            <TaskLink traceId={traceId} pid={pid} comm={comm} state={{ case: id, window: upTo(t, end) }} />
          </code>
        ),
    },
    rows.length > 0 && rows.every(saysNoMore)
      ? { id: 'source', title: 'Source', isSentence: true, cell: ({ key }) => visibleText(key ?? '') }
      : {
          id: 'headline',
          title: 'Why',
          isSentence: true,
          cell: (row) => <span title={visibleText(row.headline)}>{sentenceText(row.headline)}</span>,
        },
  ];
}

/** Whether the sentence of a bare number is who measured it, and the number again. */
const saysNoMore = (row: LatencyItem) =>
  row.key !== null &&
  row.headline === `${row.key}: ${groupDigits(row.duration_ns)}` &&
  !measureOfCase(row).isTime;

/** A case, and as much of what was before it. */
const upTo = (t: number, end: number) => ({ start: ns(Math.max(0, t - (end - t))), end: ns(end + 1) });
