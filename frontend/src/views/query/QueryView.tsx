import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { sqlQuery, sqlViewsQuery } from '../../api/sql';
import { useCatalog } from '../../api/traces';
import { useKeys } from '../../components/keys/keys';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { problemOf } from '../../lib/problem';
import { queryState } from '../../viewState/query';
import { useViewState } from '../../viewState/useViewState';
import { ExampleList } from './ExampleList';
import { EXAMPLES } from './examples';
import styles from './Query.module.css';
import { QueryToolbar } from './QueryToolbar';
import { ResultPanel } from './ResultPanel';
import { SqlEditor, type SqlEditorHandle } from './SqlEditor';
import { ViewList } from './ViewList';

const USUAL_LIMIT = 1_000;

/** SQL over the documented views: a statement, its rows, and a plot of them. */
export default function QueryView() {
  const [state, setState] = useViewState(queryState);
  const editor = useRef<SqlEditorHandle>(null);
  const viewsId = useId();
  const views = useQuery(sqlViewsQuery);
  const [started] = useState(() => state.sql || (EXAMPLES[0]?.sql ?? ''));
  const asked = { sql: state.sql, traces: state.traces, limit: state.limit ?? USUAL_LIMIT };
  const answer = useQuery(sqlQuery(asked));
  const problem = answer.error === null ? undefined : problemOf(answer.error);

  // Back and Forward bring another statement, which belongs into the editor.
  useEffect(() => {
    if (state.sql !== '') editor.current?.setText(state.sql);
  }, [state.sql]);

  // Where a statement has a $1 and nobody has chosen a trace, it is the newest one.
  const newest = useNewestTrace();
  const run = (text: string) => {
    const isChosen = state.traces.length > 0 || newest === undefined || !text.includes('$1');
    const needed = isChosen ? state.traces : [newest];
    if (text === state.sql && needed === state.traces) void answer.refetch();
    else setState({ sql: text, traces: needed }, { history: 'push' });
  };

  // Also from outside the editor, where a link that has the focus would open in another tab.
  useKeys('Query', [
    { keys: ['Mod+enter'], does: 'Run the statement', run: () => run(editor.current?.text() ?? '') },
  ]);

  const take = (sql: string) => {
    editor.current?.setText(sql);
    run(sql);
  };

  if (views.data === undefined) {
    return views.isError ? <FailedQuery isPage query={views} /> : <Loading what="Query" />;
  }
  const { unavailable } = views.data;
  return (
    <div className={styles.page}>
      <QueryToolbar
        asked={asked}
        newest={state.sql === '' ? newest : undefined}
        isAvailable={unavailable === null}
        setState={setState}
        onRun={() => run(editor.current?.text() ?? '')}
        onExample={({ sql }) => take(sql)}
      />
      {unavailable === null ? null : (
        <ProblemNote
          problem={{
            status: 503,
            code: 'sql_unavailable',
            title: 'SQL is not set up on this server',
            detail: unavailable,
          }}
        />
      )}
      <div className={styles.work}>
        <div className={styles.asked}>
          <SqlEditor
            ref={editor}
            initialText={started}
            views={views.data.views}
            faultAt={answer.isFetching ? undefined : problem?.position}
            onRun={run}
          />
          {problem === undefined ? null : (
            <ProblemNote problem={problem} onRetry={() => void answer.refetch()} />
          )}
          {answer.isFetching && answer.data === undefined ? <Loading what="the rows" /> : null}
          {answer.data !== undefined && problem === undefined && state.sql !== '' ? (
            <ResultPanel
              answer={answer.data}
              asked={asked}
              plot={state.plot}
              setState={setState}
              isOld={answer.isFetching}
            />
          ) : null}
          {state.sql === '' && unavailable === null ? (
            <ExampleList onExample={({ sql }) => take(sql)} />
          ) : null}
        </div>
        <nav className={styles.side} aria-labelledby={viewsId}>
          <h2 id={viewsId}>Views and columns</h2>
          <ViewList views={views.data.views} onInsert={(name) => editor.current?.insert(name)} />
        </nav>
      </div>
    </div>
  );
}

/** The newest trace that can be asked about. */
function useNewestTrace(): string | undefined {
  const catalog = useCatalog({ q: '', label: '', sort: '-created_at' });
  return catalog.data?.pages.flatMap(({ items }) => items).find(({ status }) => status === 'ready')?.id;
}
