import { Button } from './button/Button';
import styles from './Command.module.css';
import { useNotice } from './notices/notices';

/** Lines to type into a shell, with a button that copies them. */
export function Command({ text }: { readonly text: string }) {
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
      <pre>{text}</pre>
      <Button look="bare" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
