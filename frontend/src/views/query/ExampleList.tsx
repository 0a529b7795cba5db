import { EXAMPLES, type Example } from './examples';
import styles from './Query.module.css';

interface ExampleListProps {
  readonly onExample: (example: Example) => void;
}

/** What can be asked, where nothing has been asked yet: each example runs at a click. */
export function ExampleList({ onExample }: ExampleListProps) {
  return (
    <>
      <p className={styles.note}>
        Press Run, or click an example. <code>$1</code> is the trace chosen above; the views and their columns
        are listed on this page.
      </p>
      <ul className={styles.examples} aria-label="Examples">
        {EXAMPLES.map((example) => (
          <li key={example.title}>
            <button type="button" onClick={() => onExample(example)}>
              <span>{example.title}</span>
              <code>{example.sql}</code>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
