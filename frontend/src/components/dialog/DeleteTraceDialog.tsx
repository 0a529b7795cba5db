import { useState } from 'react';
import { problemOf, type Problem } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { useNotice } from '../notices/notices';
import { ProblemNote } from '../problem/ProblemNote';
import { Bytes } from '../Quantity';
import { ConfirmDialog } from './ConfirmDialog';

interface DeleteTraceDialogProps {
  readonly trace: { readonly name: string; readonly size_bytes: number };
  readonly remove: () => Promise<void>;
  /** After the deletion as well as after a change of mind. */
  readonly onClose: (wasDeleted: boolean) => void;
}

/** Asks before a trace is deleted, and says what goes with it and how it could come back. */
export function DeleteTraceDialog({ trace, remove, onClose }: DeleteTraceDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const say = useNotice();
  const name = visibleText(trace.name);
  const confirm = async () => {
    setBusy(true);
    try {
      await remove();
      say(`Deleted ${name}.`, { leadsOn: true });
      onClose(true);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title="Delete this trace?"
      deed="Delete"
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={() => onClose(false)}
    >
      <p>
        This permanently deletes <strong>{name}</strong>, its file (<Bytes value={trace.size_bytes} />) and
        everything computed from it.
      </p>
      <p>Links to it stop working until the same file is uploaded again.</p>
      {problem ? <ProblemNote problem={problem} /> : null}
    </ConfirmDialog>
  );
}
