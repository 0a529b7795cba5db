import styles from './Loading.module.css';

/** Says that something is on its way; appears only after a moment, so that fast answers do not flicker. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className={styles.loading} role="status">
      Loading {what} …
    </p>
  );
}
