import { useTraceProgress } from '../../api/progress';
import type { Trace } from '../../api/types';
import { Progress } from '../../components/Progress';
import { progressWords } from '../../lib/progressWords';
import styles from './ReadingProgress.module.css';

/** How far the server is with reading the trace, live. The page can be left; the reading goes on. */
export function ReadingProgress({ trace }: { readonly trace: Trace }) {
  const progress = useTraceProgress(trace.id, true);
  const isWaiting = (progress?.status ?? trace.status) === 'queued';
  return (
    <section className={styles.reading} aria-label="Reading">
      <Progress ratio={progress?.progress ?? trace.progress} label="Reading the trace" />
      <p>
        {isWaiting
          ? 'Waits for the traces before it. You can leave this page; it will be read all the same.'
          : progress
            ? progressWords(progress)
            : trace.status}
      </p>
    </section>
  );
}
