import { useEffect } from 'react';
import { useFunctions } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { visibleText } from '../../lib/visibleText';
import styles from './Calls.module.css';
import { openingCallOf, type OpeningCall } from './openingCall';

interface FindOpeningCallProps {
  readonly trace: Trace;
  /** Nothing where no call is known; the page then shows the whole trace. */
  readonly onFound: (call: OpeningCall | undefined) => void;
}

/** Finds the slowest call of the function with the longest total time; until then, it says that the calls are loading. */
export function FindOpeningCall({ trace, onFound }: FindOpeningCallProps) {
  const { data, isError } = useFunctions(trace.id, { q: '', sort: '-total' });
  useEffect(() => {
    if (data === undefined && !isError) return;
    onFound(openingCallOf(data?.pages[0]?.items ?? [], trace.duration_ns ?? 0));
  }, [data, isError, onFound, trace.duration_ns]);
  return <Loading what="the calls" />;
}

interface OpeningNoteProps {
  readonly call: OpeningCall;
  readonly onWhole: () => void;
}

/** Why the page shows this call, and the way to all of them. */
export function OpeningNote({ call, onWhole }: OpeningNoteProps) {
  return (
    <p className={styles.opening} role="note">
      <span>
        The slowest call of <code>{visibleText(call.symbol)}</code>, the function with the longest total time
        {call.isFirst ? '.' : ' among those whose slowest call fits on a screen.'}
      </span>
      <Button look="bare" onClick={onWhole}>
        Show the whole trace
      </Button>
    </p>
  );
}
