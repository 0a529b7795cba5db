import { useState } from 'react';
import { diffHtmlUrl, diffText, type DiffRequest } from '../../api/diff';
import { Button } from '../../components/button/Button';
import { Command } from '../../components/Command';
import { Dialog } from '../../components/dialog/Dialog';
import { useKeys } from '../../components/keys/keys';
import { useNotice } from '../../components/notices/notices';
import { problemOf } from '../../lib/problem';
import styles from './DiffPage.module.css';

interface DiffWaysProps {
  readonly asked: DiffRequest;
  /** Of the saved page, without its ending. */
  readonly fileName: string;
}

/** The comparison for a mail, and as a page that stands alone. */
export function DiffWays({ asked, fileName }: DiffWaysProps) {
  const say = useNotice();
  const [text, setText] = useState<string>();
  const copy = async () => {
    let written: string;
    try {
      written = await diffText(asked);
    } catch (error) {
      const { title, detail } = problemOf(error);
      say(detail ?? title);
      return;
    }
    try {
      await navigator.clipboard.writeText(written);
      say('Copied as text.');
    } catch {
      // Without its permission the text is shown, to be copied by hand.
      setText(written);
    }
  };
  useKeys('Comparison', [{ keys: ['c', 'C'], does: 'Copy as text', run: () => void copy() }]);
  return (
    <>
      <Button look="bare" onClick={() => void copy()}>
        Copy as text <kbd>C</kbd>
      </Button>
      <a className={styles.way} href={diffHtmlUrl(asked)} download={`${fileName}.html`}>
        Download HTML
      </a>
      {text !== undefined && (
        <Dialog title="The comparison as text" isWide onClose={() => setText(undefined)}>
          <Command text={text} />
        </Dialog>
      )}
    </>
  );
}
