import { useMatches, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useTrace } from '../api/traces';
import { Button } from '../components/button/Button';
import { Loading } from '../components/Loading';
import { useRawSearch } from '../viewState/useViewState';
import { rememberTrace } from '../lib/recentTraces';
import { visibleText } from '../lib/visibleText';
import { VIEWS, type View } from '../views/registry';
import styles from './ViewFrame.module.css';

/** One view with its title, and a note about anything in the link that could not be used. */
export function ViewFrame({ view }: { readonly view: View }) {
  const trace = useTrace(useTraceId());
  const name = trace.data ? visibleText(trace.data.name) : undefined;
  useEffect(() => {
    document.title = [name, view.title, 'Jitterscope'].filter(Boolean).join(' · ');
  }, [name, view.title]);
  const opened = trace.data?.id;
  useEffect(() => {
    if (opened !== undefined) rememberTrace(opened);
  }, [opened]);
  const Component = view.component;
  return (
    <>
      <LinkNotices key={view.path} view={view} />
      <Suspense fallback={<Loading what={view.title} />}>
        <Component />
      </Suspense>
    </>
  );
}

/** Id of the trace that the page is about, if it is about one. */
export function useTraceId(): string | undefined {
  const params: { readonly trace?: string } = useParams({ strict: false });
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  const raw = useRawSearch();
  return params.trace ?? VIEWS.find((view) => view.path === path)?.traceOf?.(raw);
}

function LinkNotices({ view }: { readonly view: View }) {
  // Only the link that was opened can be wrong; what the page writes afterwards is right by construction.
  const raw = useRawSearch();
  const [notices, setNotices] = useState(() => view.state.read(raw).notices);
  if (notices.length === 0) return null;
  return (
    <div className={styles.notices} role="status">
      <ul>
        {notices.map((notice) => (
          <li key={notice}>{visibleText(notice)}</li>
        ))}
      </ul>
      <Button look="bare" label="Dismiss" onClick={() => setNotices([])}>
        ✕
      </Button>
    </div>
  );
}
