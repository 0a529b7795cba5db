import { Button } from '../../components/button/Button';
import { groupDigits } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import styles from './Compare.module.css';
import type { Exact } from './useExact';

/** How exact the quantiles are; where they are rounded, a way to read them from the samples. */
export function ExactNote({ exact }: { readonly exact: Exact }) {
  const { state, progress, error, read, stop } = exact;
  if (state === 'known') return null;
  return (
    <p className={styles.note} role="status">
      {state === 'read' ? 'The quantiles are exact, read from the samples.' : null}
      {state === 'rounded' ? (
        <>
          {error === null
            ? 'The quantiles lie within a 512th of their values. '
            : `The samples could not be read. ${visibleText(problemOf(error).detail ?? '')} `}
          <Button onClick={read}>{error === null ? 'Read them exactly' : 'Retry'}</Button>
        </>
      ) : null}
      {state === 'reading' ? (
        <>
          {progress === undefined
            ? 'Reading the samples … '
            : `Reading the samples: ${groupDigits(progress.done)} of ${groupDigits(progress.total)} traces `}
          <Button onClick={stop}>Cancel</Button>
        </>
      ) : null}
    </p>
  );
}
