import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import styles from './notices.module.css';

type Say = (sentence: string) => void;

const NoticeContext = createContext<Say>(() => undefined);
const SHOWN_MS = 4000;

/** Shows one passing sentence at the foot of the page, and reads it to those who do not see it. */
export function NoticesProvider({ children }: { readonly children: ReactNode }) {
  const [notice, setNotice] = useState<{ readonly sentence: string } | undefined>();
  const say = useCallback<Say>((sentence) => setNotice({ sentence }), []);
  useEffect(() => {
    if (!notice) return undefined;
    const timer = window.setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [notice]);
  return (
    <NoticeContext.Provider value={say}>
      {children}
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
