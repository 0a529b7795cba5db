import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import styles from './notices.module.css';

interface Notice {
  readonly sentence: string;
  /** Also said on the page that it leads to, such as that the trace of this one is deleted. */
  readonly leadsOn?: boolean;
}

type Say = (sentence: string, how?: Omit<Notice, 'sentence'>) => void;

const NoticeContext = createContext<Say>(() => undefined);
const LeaveContext = createContext<() => void>(() => undefined);
const SHOWN_MS = 4000;

/** Shows one passing sentence at the foot of the page, and reads it to those who do not see it. */
export function NoticesProvider({ children }: { readonly children: ReactNode }) {
  const [notice, setNotice] = useState<Notice | undefined>();
  const say = useCallback<Say>((sentence, how) => setNotice({ sentence, ...how }), []);
  const leave = useCallback(
    () => setNotice((said) => (said?.leadsOn === true ? { sentence: said.sentence } : undefined)),
    [],
  );
  useEffect(() => {
    if (!notice) return undefined;
    const timer = window.setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [notice]);
  return (
    <NoticeContext.Provider value={say}>
      <LeaveContext value={leave}>{children}</LeaveContext>
      <div className={styles.foot} role="status">
        {notice ? <p className={styles.notice}>{notice.sentence}</p> : null}
      </div>
    </NoticeContext.Provider>
  );
}

/** For what has happened and needs no answer ("Link copied"). Problems stay where they arose. */
export function useNotice(): Say {
  return useContext(NoticeContext);
}

/** Takes what was said on one page away from the next. */
export function useNoticesOfPage(page: string | undefined): void {
  const leave = useContext(LeaveContext);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current !== page) leave();
    shown.current = page;
  }, [leave, page]);
}
