import styles from './KeyHint.module.css';

interface KeyHintProps {
  readonly children: string;
}

/** The key that does what the button or link before it does. */
export function KeyHint({ children }: KeyHintProps) {
  return <kbd className={styles.hint}>{children}</kbd>;
}
