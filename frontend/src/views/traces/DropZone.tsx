import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { uploadQueue } from '../../api/uploadQueue';
import { Button } from '../../components/button/Button';
import { useKeys } from '../../components/keys/keys';
import styles from './DropZone.module.css';

/** The page as one large place to drop traces on, and a line at its head that says so. */
export function DropZone({ children }: { readonly children: ReactNode }) {
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => uploadQueue.add(files),
    noClick: true,
    noKeyboard: true,
    // The classic file dialog: it works on every origin, and its files stream from disk all the same.
    useFsAccessApi: false,
  });
  useKeys('Traces', [{ keys: ['u', 'U'], does: 'Upload traces', run: open }]);
  return (
    <div {...getRootProps({ className: styles.zone, role: 'presentation' })} data-dragging={isDragActive}>
      <input {...getInputProps({ 'aria-label': 'Traces to upload' })} />
      <div className={styles.invitation}>
        <Button onClick={open}>Upload traces</Button>
        <span className={styles.hint}>
          or drop them anywhere here: <code>trace.dat</code>, or text from <code>trace</code> and{' '}
          <code>trace-cmd report</code>; <code>.gz</code>, <code>.xz</code>, <code>.zst</code> as they are
        </span>
      </div>
      {children}
    </div>
  );
}
