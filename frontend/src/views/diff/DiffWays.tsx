import { useState } from 'react';
import { diffHtmlUrl, diffText, type DiffRequest } from '../../api/diff';
import { useShare } from '../../components/share/useShare';
import { Button } from '../../components/button/Button';
import { ChartWays } from '../../components/chart/ChartWays';
import type { PictureFormat } from '../../components/chart/exportPicture';
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
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
}

/** Exports: the charts' numbers and pictures, and the comparison as text for a mail, as an HTML file and as a link. */
export function DiffWays({ asked, fileName, onTable, onPicture }: DiffWaysProps) {
  const say = useNotice();
  const { share, sheet } = useShare();
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
    <span className={styles.ways}>
      <ChartWays what="the two sides" onTable={onTable} onPicture={onPicture} />
      <Button look="bare" onClick={() => void copy()}>
        Copy text <kbd>C</kbd>
      </Button>
      <a
        className={styles.way}
        href={diffHtmlUrl(asked)}
        download={`${fileName}.html`}
        title="Download as one HTML file"
      >
        HTML
      </a>
      <Button look="bare" onClick={share}>
        Copy link <kbd>Y</kbd>
      </Button>
      {sheet}
      {text !== undefined && (
        <Dialog title="The comparison as text" isWide onClose={() => setText(undefined)}>
          <Command text={text} />
        </Dialog>
      )}
    </span>
  );
}
