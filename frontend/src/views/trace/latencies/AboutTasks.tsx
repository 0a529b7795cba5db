import { useMemo, useState } from 'react';
import type { LatencyTask } from '../../../api/latencyTypes';
import { Button } from '../../../components/button/Button';
import { Panel } from '../../../components/panel/Panel';
import { Measured } from '../../../components/Quantity';
import { Table, type Column } from '../../../components/table/Table';
import { ViewLink } from '../../../components/ViewLink';
import { measureOfCase } from '../../../lib/measure';
import { groupDigits } from '../../../lib/ns';
import { priorityOf } from '../../../lib/priority';
import { taskLabel } from '../../../lib/taskKind';
import { sentenceText, visibleText } from '../../../lib/visibleText';
import { paths } from '../../../viewState/paths';
import { TASK_SORTS, type TaskSort } from '../../../viewState/trace';
import { sortedTasks } from './sortedTasks';

interface AboutTasksProps {
  readonly traceId: string;
  readonly tasks: readonly LatencyTask[];
  readonly sort: TaskSort;
  readonly onSort: (sort: TaskSort) => void;
}

/** As many as one looks at before the kinds; the others come when somebody asks for them. */
const MOST_SHOWN = 4;

/** The tasks that the recording was made to look at, each with its worst case; nothing where there are none. */
export function AboutTasks({ traceId, tasks, sort, onSort }: AboutTasksProps) {
  const measured = useMemo(
    () =>
      sortedTasks(
        tasks.filter(({ is_measured }) => is_measured),
        sort,
      ),
    [tasks, sort],
  );
  const columns = useMemo(() => columnsOf(traceId), [traceId]);
  const [isWhole, setIsWhole] = useState(false);
  if (measured.length === 0) return null;
  const rest = measured.length - MOST_SHOWN;
  return (
    <Panel
      title="What was measured"
      note="the worst case of each task"
      actions={
        rest > 0 ? (
          <Button look="bare" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show ${groupDigits(rest)} more tasks`}
          </Button>
        ) : undefined
      }
    >
      <Table
        label="What was measured"
        columns={columns}
        rows={isWhole ? measured : measured.slice(0, MOST_SHOWN)}
        keyOf={({ comm, pid }) => taskLabel(comm, pid)}
        sort={sort}
        onSort={(wanted) => {
          const known = TASK_SORTS.find((candidate) => candidate === wanted);
          if (known) onSort(known);
        }}
      />
    </Panel>
  );
}

function columnsOf(traceId: string): readonly Column<LatencyTask>[] {
  return [
    {
      id: 'task',
      title: 'Task',
      sort: { name: 'task', preferred: 'ascending' },
      cell: ({ comm, pid, worst }) => (
        <code>
          <ViewLink to={paths.case(traceId, worst.id)} title={visibleText(worst.kind)}>
            {visibleText(taskLabel(comm, pid))}
          </ViewLink>
        </code>
      ),
    },
    {
      id: 'priority',
      title: 'Priority',
      rank: 1,
      sort: { name: 'priority', preferred: 'descending' },
      cell: (task) => <SetPriority task={task} />,
    },
    {
      id: 'worst',
      title: 'Worst',
      isNumber: true,
      sort: { name: 'worst', preferred: 'descending' },
      cell: ({ worst }) => (
        // Leads where the task leads, so Tab stops only there.
        <ViewLink to={paths.case(traceId, worst.id)} tabIndex={-1}>
          <Measured value={worst.duration_ns} measure={measureOfCase(worst)} />
        </ViewLink>
      ),
    },
    {
      id: 'count',
      title: 'Samples',
      isNumber: true,
      rank: 1,
      sort: { name: 'count', preferred: 'descending' },
      cell: ({ count }) => groupDigits(count),
    },
    {
      id: 'why',
      title: 'Why',
      isSentence: true,
      cell: ({ worst }) => <span title={visibleText(worst.headline)}>{sentenceText(worst.headline)}</span>,
    },
  ];
}

function SetPriority({ task: { prio } }: { readonly task: LatencyTask }) {
  const set = priorityOf(prio);
  return set === undefined ? null : <span title={set.kernel}>{set.text}</span>;
}
