import { useEffect, useState, type ReactNode } from 'react';
import { useCatalog } from '../../api/traces';
import type { Trace } from '../../api/types';
import { ViewLink } from '../../components/ViewLink';
import { recentTraces } from '../../lib/recentTraces';
import { readStored, store } from '../../lib/stored';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { diffState } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import { PAIR, SAMPLES, type Sample } from './samples';
import styles from './StartHere.module.css';

interface FoundSample extends Sample {
  readonly trace: Trace;
}

const FIRST = 2;
const FEW = 5;
/** Where it is remembered whether the server had no samples when this browser looked last. */
const STORED = 'jitterscope.noSamples';

const COMPARE = {
  title: 'A slow interrupt next to a normal one',
  shows: 'The same timer interrupt twice, 10 µs apart: which calls made the difference.',
};
const RECORD = {
  title: 'Record your own',
  shows: 'Commands for a late wakeup, a late timer, interrupts off, a slow function, and noise.',
};

interface StartHereProps {
  /** What is below it, and would jump if it came or went. */
  readonly children?: ReactNode;
}

/**
 * For who is here for the first time: what each sample shows, a pair to compare, and how to record. A browser that
 * does not know yet whether there are samples shows what is below only once it does; later visits begin with it.
 */
export function StartHere({ children }: StartHereProps) {
  const catalog = useCatalog({ q: '', label: 'sample:yes', sort: '-created_at' });
  const traces = catalog.data?.pages[0]?.items;
  // Who has opened a few traces before finds it folded. Known at once, so that nothing moves.
  const [isOpen] = useState(() => recentTraces().length < FEW);
  const found = SAMPLES.flatMap((sample): FoundSample[] => {
    const trace = traces?.find(({ name, status }) => name === sample.name && status === 'ready');
    return trace ? [{ ...sample, trace }] : [];
  });
  const isMissing = traces !== undefined && found.length === 0;
  const isPresent = found.length > 0;
  // Room is kept until the answer, but not where there was nothing last time: the list would jump.
  const [before] = useState(() => readStored(STORED));
  useEffect(() => {
    if (isMissing || isPresent) store(STORED, isMissing ? 'yes' : 'no');
  }, [isMissing, isPresent]);
  if (catalog.isPending && before === undefined) return null;
  if (catalog.isError || isMissing || (before === 'yes' && !isPresent)) return children;
  const [abnormal, normal] = PAIR.map((name) => found.find((sample) => sample.name === name)?.trace);
  const slowest = abnormal?.worst?.id;
  const inPair = found.filter(({ name }) => PAIR.some((one) => one === name));
  const others = found.filter((sample) => !inPair.includes(sample));
  return (
    <>
      <details className={styles.fold} open={isOpen}>
        <summary>
          <h2>Start here</h2>
          <span className={styles.quiet}>real recordings, and what each shows</span>
        </summary>
        {traces === undefined ? (
          <EntriesToCome />
        ) : (
          <ul className={styles.entries}>
            {others.slice(0, FIRST).map((sample) => (
              <Entry key={sample.name} sample={sample} />
            ))}
            {abnormal && normal && typeof slowest === 'string' ? (
              <li>
                <ViewLink
                  to={paths.diff()}
                  search={diffState.write({
                    ...diffState.read({}).state,
                    abnormal: { trace: abnormal.id, id: slowest },
                    normal: { trace: normal.id, id: 'auto' },
                  })}
                >
                  {COMPARE.title}
                </ViewLink>
                <p>{COMPARE.shows}</p>
              </li>
            ) : null}
            <li>
              <ViewLink to={paths.help('recording')}>{RECORD.title}</ViewLink>
              <p>{RECORD.shows}</p>
            </li>
          </ul>
        )}
        {traces === undefined || others.length > FIRST ? (
          <details className={styles.more}>
            <summary>All samples</summary>
            <ul className={styles.entries}>
              {[...others.slice(FIRST), ...inPair].map((sample) => (
                <Entry key={sample.name} sample={sample} />
              ))}
            </ul>
          </details>
        ) : null}
      </details>
      {children}
    </>
  );
}

/** The words of the first entries, not yet to be seen: they take the room that the entries will. */
function EntriesToCome() {
  const samples = SAMPLES.filter(({ name }) => !PAIR.some((one) => one === name)).slice(0, FIRST);
  const words = [...samples.map(({ name, shows }) => ({ title: shows, shows: name })), COMPARE, RECORD];
  return (
    <ul className={`${styles.entries} ${styles.toCome}`} aria-hidden>
      {words.map(({ title, shows }) => (
        <li key={title}>
          {sentenceText(title)}
          <p>{shows}</p>
        </li>
      ))}
    </ul>
  );
}

function Entry({ sample: { trace, name, shows } }: { readonly sample: FoundSample }) {
  return (
    <li>
      <ViewLink to={paths.trace(trace.id)}>{sentenceText(shows)}</ViewLink>
      <p>{visibleText(name)}</p>
    </li>
  );
}
