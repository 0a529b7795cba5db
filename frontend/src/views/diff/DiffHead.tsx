import type { DiffAnswer, DiffGuard } from '../../api/diffTypes';
import { visibleText } from '../../lib/visibleText';
import styles from './DiffHead.module.css';

/** The sentence of the comparison, and what makes it doubtful. */
export function DiffHead({ answer }: { readonly answer: DiffAnswer }) {
  const { guard, notes } = answer;
  const ordered = guard.toSorted((one, other) => Number(other.is_doubtful) - Number(one.is_doubtful));
  return (
    <header className={styles.head}>
      <h1 className={styles.summary}>{visibleText(answer.summary)}</h1>
      {answer.is_doubtful && (
        <p className={styles.doubtful}>
          The recordings differ, and part of the difference may come from that:
        </p>
      )}
      {(ordered.length > 0 || notes.length > 0) && (
        <ul className={styles.notes} aria-label="Notes on this comparison">
          {ordered.map((note) => (
            <GuardNote key={note.name} note={note} />
          ))}
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </header>
  );
}

function GuardNote({ note }: { readonly note: DiffGuard }) {
  return (
    <li data-doubtful={note.is_doubtful} className={styles.note}>
      {note.is_doubtful && <span className={styles.tag}>doubtful</span>}
      {visibleText(note.sentence)}
    </li>
  );
}
