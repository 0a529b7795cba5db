import { recordCommand } from '../lib/recording';
import { Command } from './Command';
import styles from './NotRecorded.module.css';

interface NotRecordedProps {
  /** What is missing, in one sentence. */
  readonly what: string;
  /** The events that would have shown it. */
  readonly needs: readonly string[];
}

/** An empty place: what is missing, and the command that records it next time. */
export function NotRecorded({ what, needs }: NotRecordedProps) {
  return (
    <div className={styles.missing}>
      <p>{what}</p>
      <Command text={recordCommand(needs)} />
    </div>
  );
}
