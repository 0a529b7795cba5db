import { useState } from 'react';
import { deleteTraces } from '../../api/selection';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog';
import { useNotice } from '../../components/notices/notices';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Progress } from '../../components/Progress';
import { problemOf, type Problem } from '../../lib/problem';
import type { SelectionBody } from './selection';
import { traceCount } from './traceCount';

interface DeleteManyDialogProps {
  readonly traces: SelectionBody;
  readonly count: number;
  /** After the deletion as well as after a change of mind. */
  readonly onClose: (wasDeleted: boolean) => void;
}

/** Asks before many traces are deleted, and shows how far it is. */
export function DeleteManyDialog({ traces, count, onClose }: DeleteManyDialogProps) {
  const [done, setDone] = useState<number | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const say = useNotice();
  const confirm = async () => {
    setDone(0);
    try {
      say(`Deleted ${traceCount(await deleteTraces(traces, setDone))}.`);
      onClose(true);
    } catch (error) {
      setProblem(problemOf(error));
      setDone(undefined);
    }
  };
  return (
    <ConfirmDialog
      title={`Delete ${traceCount(count)}?`}
      deed={`Delete ${traceCount(count)}`}
      isBusy={done !== undefined}
      onConfirm={() => void confirm()}
      onClose={() => onClose(false)}
    >
      <p>
        This permanently deletes <strong>{traceCount(count)}</strong>, their files and everything computed
        from them.
      </p>
      <p>Links to them stop working until the same files are uploaded again.</p>
      {done === undefined ? null : (
        <Progress ratio={Math.min(1, done / Math.max(1, count))} label="Deleting traces" />
      )}
      {problem ? <ProblemNote problem={problem} /> : null}
    </ConfirmDialog>
  );
}
