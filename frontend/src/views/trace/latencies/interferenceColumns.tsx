import { CauseSwatch } from '../../../components/cause/Cause';
import { causeName } from '../../../components/cause/causeLook';
import { Count, Duration } from '../../../components/Quantity';
import type { Column } from '../../../components/table/Table';
import { TaskLink } from '../../../components/TaskLink';
import { ViewLink } from '../../../components/ViewLink';
import { ns } from '../../../lib/ns';
import { percentText } from '../../../lib/percent';
import { visibleText } from '../../../lib/visibleText';
import { frameWindow } from '../../../components/chart/timeWindow';
import { paths } from '../../../viewState/paths';
import { timelineState } from '../../../viewState/timeline';
import type { InterferenceBy, InterferenceRow } from './interference';
import styles from './InterferencePanel.module.css';

/** The columns of what was taken; the longest of each cause leads to its place in the timeline. */
export function interferenceColumns(
  traceId: string,
  durationNs: number,
  by: InterferenceBy,
): readonly Column<InterferenceRow>[] {
  return [
    {
      id: 'from',
      title: by === 'cpu' ? 'CPU' : 'Task',
      cell: (row) => (
        <span className={row.isFirst ? undefined : styles.again}>
          {row.owner ? <TaskLink traceId={traceId} {...row.owner} /> : visibleText(row.from)}
          {row.note === undefined ? '' : ` (${row.note})`}
        </span>
      ),
    },
    {
      id: 'what',
      title: 'What',
      isName: true,
      cell: (row) => (
        <span title={`${causeName(row.cause)}: ${visibleText(row.name)}`}>
          <CauseSwatch cause={row.cause} what={row.name} />
          <code>
            <Taker traceId={traceId} row={row} />
          </code>
        </span>
      ),
    },
    { id: 'count', title: 'Count', isNumber: true, rank: 1, cell: (row) => <Count value={row.count} /> },
    {
      id: 'total',
      title: 'Total',
      isNumber: true,
      cell: (row) => <Duration value={ns(row.total_ns)} />,
    },
    {
      id: 'share',
      title: 'Share',
      isNumber: true,
      rank: 1,
      cell: (row) => (row.share === null ? '' : percentText(row.share, 1)),
    },
    {
      id: 'period',
      title: 'Every',
      isNumber: true,
      rank: 2,
      cell: (row) => (row.period_ns === null ? '' : <Duration value={ns(row.period_ns)} />),
    },
    {
      id: 'longest',
      title: 'Longest',
      isNumber: true,
      cell: (row) => (
        <ViewLink
          to={paths.timeline(traceId)}
          search={timelineAt(row.max_t, row.max_ns, durationNs)}
          title="Show in the timeline"
        >
          <Duration value={ns(row.max_ns)} />
        </ViewLink>
      ),
    },
    {
      id: 'bar',
      title: 'share as a bar',
      isTitleUnseen: true,
      isWidest: true,
      rank: 1,
      bar: (row) => row.share ?? 0,
      cell: () => null,
    },
  ];
}

/** The task that took the time, which leads to its lane, also as the osnoise tracer reports it: `thread dd-286`. */
function Taker({ traceId, row }: { readonly traceId: string; readonly row: InterferenceRow }) {
  const { pid, name } = row;
  const [, before = '', comm] = /^(thread )?(.*)-\d+$/.exec(name) ?? [];
  if (pid === null || comm === undefined || !name.endsWith(`-${pid}`)) return visibleText(name);
  return (
    <>
      {before}
      <TaskLink traceId={traceId} comm={comm} pid={pid} />
    </>
  );
}

/** The timeline around one of them: the thing itself a tenth of the screen, so that its surroundings are seen. */
function timelineAt(start: number, length: number, durationNs: number) {
  const domain = { start: 0, end: durationNs + 1 };
  const window = frameWindow(start - 4 * length, start + 5 * length, domain);
  return timelineState.write({
    ...timelineState.read({}).state,
    window: { start: ns(window.start), end: ns(window.end) },
    area: { start: ns(start), end: ns(start + Math.max(1, length)) },
  });
}
