import { useState } from 'react';
import { Button } from '../../components/button/Button';
import type { DiffRef } from '../../viewState/diff';
import styles from './PasteLink.module.css';
import { readLink } from './sideLink';

/** Takes the normal side by the link of a call or case, of any trace. */
export function PasteLink({ onPick }: { readonly onPick: (normal: DiffRef) => void }) {
  const [text, setText] = useState('');
  const read = readLink(text);
  const isWrong = text.trim() !== '' && read === undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (read) onPick(read);
      }}
    >
      <label className={styles.label}>
        Or paste a link to a call or case
        <input
          className={styles.link}
          value={text}
          placeholder="the address of its page"
          aria-invalid={isWrong}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <Button submits disabled={read === undefined}>
        Compare
      </Button>
      {isWrong && (
        <p className={styles.wrong} role="alert">
          This link names no call and no case. Open a case, or select a call on the Calls page, and copy its
          link (Y).
        </p>
      )}
    </form>
  );
}
