import { Button } from './button/Button';
import styles from './Command.module.css';
import { useNotice } from './notices/notices';

interface CommandProps {
  readonly text: string;
  /** A report, whose tables are lines that are not to be broken: they scroll sideways. */
  readonly isReport?: boolean;
}

/** Lines to type into a shell, or to put into a mail, with a button that copies them. */
export function Command({ text, isReport = false }: CommandProps) {
  const say = useNotice();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied.');
    } catch {
      say('The browser does not allow copying here. Select the text and copy it.');
    }
  };
  return (
    <div className={styles.command}>
      {isReport ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls, also by keys
        <pre className={styles.report} tabIndex={0} role="group" aria-label="Report">
          {text}
        </pre>
      ) : (
        <pre>{text}</pre>
      )}
      <Button look="bare" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
