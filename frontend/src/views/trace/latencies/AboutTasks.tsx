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

interface AboutTasksProps {
  readonly traceId: string;
  readonly tasks: readonly LatencyTask[];
}

/** As many as one looks at before the kinds; the others come when somebody asks for them. */
const MOST_SHOWN = 4;

/** The tasks that the recording was made to look at, each with its worst case; nothing where there are none. */
export function AboutTasks({ traceId, tasks }: AboutTasksProps) {
  const measured = useMemo(() => tasks.filter(({ is_measured }) => is_measured), [tasks]);
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
      />
    </Panel>
  );
}

function columnsOf(traceId: string): readonly Column<LatencyTask>[] {
  return [
    {
      id: 'task',
      title: 'Task',
      cell: ({ comm, pid, worst }) => (
        <ViewLink to={paths.case(traceId, worst.id)} title={visibleText(worst.kind)}>
          {visibleText(taskLabel(comm, pid))}
        </ViewLink>
      ),
    },
    { id: 'priority', title: 'Priority', rank: 1, cell: (task) => <SetPriority task={task} /> },
    {
      id: 'worst',
      title: 'Worst',
      isNumber: true,
      cell: ({ worst }) => (
        // Leads where the task leads, so Tab stops only there.
        <ViewLink to={paths.case(traceId, worst.id)} tabIndex={-1}>
          <Measured value={worst.duration_ns} measure={measureOfCase(worst)} />
        </ViewLink>
      ),
    },
    { id: 'count', title: 'Samples', isNumber: true, rank: 1, cell: ({ count }) => groupDigits(count) },
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
