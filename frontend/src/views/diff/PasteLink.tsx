import { useState } from 'react';
import { Button } from '../../components/button/Button';
import type { DiffRef } from '../../viewState/diff';
import styles from './PasteLink.module.css';
import { readLink } from './readLink';

/** Takes what is compared with from another trace: by the link of a call or case there. */
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
        Or the link of a call or case, of another trace, too
        <input
          className={styles.link}
          value={text}
          placeholder="paste what its page has in the address bar"
          aria-invalid={isWrong}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <Button submits disabled={read === undefined}>
        Compare
      </Button>
      {isWrong && (
        <p className={styles.wrong} role="alert">
          This names no call and no case. Choose a call among the calls, or open a case, and copy the link
          (Y).
        </p>
      )}
    </form>
  );
}
