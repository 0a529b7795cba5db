import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { saveBlob } from '../../lib/saveBlob';
import { Command } from '../../components/Command';
import { Dialog } from '../../components/dialog/Dialog';
import { caseText } from './caseText';
import styles from './ExportSheet.module.css';

interface ExportSheetProps {
  readonly trace: Trace;
  readonly found: LatencyCase;
  readonly onClose: () => void;
}

/** The case as a text for a mail, to copy or save, and as the JSON that the API answers. */
export function ExportSheet({ trace, found, onClose }: ExportSheetProps) {
  const text = caseText(found, trace, window.location.href);
  const save = (content: string, type: string, ending: string) =>
    saveBlob(new Blob([content], { type }), `${found.id}.${ending}`);
  return (
    <Dialog title="Export this case" isWide onClose={onClose}>
      <div className={styles.sheet}>
        <Command text={text} />
        <p className={styles.ways}>
          <Button takesFocus onClick={() => save(text, 'text/plain', 'txt')}>
            Save the text
          </Button>
          <Button onClick={() => save(JSON.stringify(found, null, 2), 'application/json', 'json')}>
            Save as JSON
          </Button>
        </p>
      </div>
    </Dialog>
  );
}
