import { useState } from 'react';
import { problemOf } from '../../lib/problem';
import { ConfirmDialog } from '../dialog/ConfirmDialog';
import { useNotice } from '../notices/notices';

interface DeleteBaselineDialogProps {
  readonly slug: string;
  readonly onDelete: (slug: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a baseline is deleted. */
export function DeleteBaselineDialog({ slug, onDelete, onClose }: DeleteBaselineDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const say = useNotice();
  const remove = async () => {
    setBusy(true);
    try {
      await onDelete(slug);
    } catch (error) {
      const { title, detail } = problemOf(error);
      say(`Not deleted. ${detail ?? title}`);
    }
    onClose();
  };
  return (
    <ConfirmDialog
      title="Delete this baseline?"
      deed="Delete"
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {`Checks that name ${slug} can no longer be decided. Its traces stay.`}
    </ConfirmDialog>
  );
}
