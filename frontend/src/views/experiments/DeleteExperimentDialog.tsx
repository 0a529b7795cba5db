import { useDeleteExperiment, type ExperimentItem } from '../../api/experiments';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog';
import { useNotice } from '../../components/notices/notices';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';

interface DeleteExperimentDialogProps {
  readonly experiment: ExperimentItem;
  readonly onClose: () => void;
}

/** Asks before a saved comparison is deleted. */
export function DeleteExperimentDialog({ experiment, onClose }: DeleteExperimentDialogProps) {
  const deletion = useDeleteExperiment(experiment.slug);
  const say = useNotice();
  const name = visibleText(experiment.name);
  const confirm = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        say(`Deleted ${name}.`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title="Delete this experiment?"
      deed="Delete"
      isBusy={deletion.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        This deletes <strong>{name}</strong> and its note. The traces that it compares stay.
      </p>
      <p>Links to it stop working.</p>
      {deletion.isError ? <ProblemNote problem={problemOf(deletion.error)} /> : null}
    </ConfirmDialog>
  );
}
