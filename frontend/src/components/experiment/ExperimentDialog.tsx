import { useState, type ReactNode } from 'react';
import { problemOf, type Problem } from '../../lib/problem';
import { Button } from '../button/Button';
import { Dialog } from '../dialog/Dialog';
import { ProblemNote } from '../problem/ProblemNote';
import styles from './ExperimentDialog.module.css';

/** What people say about a saved comparison. */
interface ExperimentWords {
  readonly name: string;
  readonly note: string;
}

interface ExperimentDialogProps {
  readonly title: string;
  readonly deed: string;
  readonly words: ExperimentWords;
  readonly onSave: (words: ExperimentWords) => Promise<void>;
  readonly onClose: () => void;
  /** What to know before it is saved. */
  readonly children?: ReactNode;
}

/** Asks for the name and the note of a comparison that is saved. */
export function ExperimentDialog({ title, deed, words, onSave, onClose, children }: ExperimentDialogProps) {
  const [name, setName] = useState(words.name);
  const [note, setNote] = useState(words.note);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    setBusy(true);
    try {
      await onSave({ name: name.trim(), note: note.trim() });
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label className={styles.field}>
          Name
          <input
            data-takes-focus
            value={name}
            maxLength={200}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label className={styles.field}>
          Note
          <textarea
            value={note}
            rows={3}
            maxLength={4000}
            placeholder="What was changed, on which machine, and what you expect"
            onChange={({ target }) => setNote(target.value)}
          />
        </label>
        {children}
        {problem ? <ProblemNote problem={problem} /> : null}
        <div className={styles.answers}>
          <Button onClick={onClose}>Cancel</Button>
          <Button submits disabled={isBusy || name.trim() === ''}>
            {deed}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
