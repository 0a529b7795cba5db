import type { ReactNode } from 'react';
import { Button } from '../button/Button';
import styles from './ConfirmDialog.module.css';
import { Dialog } from './Dialog';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will be gone, and whether it can come back. */
  readonly children: ReactNode;
  /** The deed, as a verb: "Delete". */
  readonly deed: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is lost for good. The safe answer has the focus. */
export function ConfirmDialog({ title, children, deed, isBusy, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.words}>{children}</div>
      <div className={styles.answers}>
        <Button onClick={onClose} takesFocus>
          Cancel
        </Button>
        <Button look="danger" disabled={isBusy} onClick={onConfirm}>
          {deed}
        </Button>
      </div>
    </Dialog>
  );
}
