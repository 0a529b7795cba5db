import { useQuery } from '@tanstack/react-query';
import { useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { DOC_PAGES } from '../../lib/docPages';
import { paths } from '../../viewState/paths';
import styles from './Help.module.css';
import { Markdown } from './Markdown';
import { OnThisPage } from './OnThisPage';
import { loadPage } from './pages';

/** Where no page is named. */
const FIRST_PAGE = 'recording';

/** The documentation that comes with the source of this version. */
export default function HelpView() {
  const params: { readonly page?: string } = useParams({ strict: false });
  const name = params.page ?? FIRST_PAGE;
  const hash = useRouterState({ select: (router) => router.location.hash });
  const article = useRef<HTMLElement>(null);
  const page = useQuery({
    queryKey: ['help', name],
    queryFn: async () => (await loadPage(name)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = page.data;
  useEffect(() => {
    if (text === undefined || text === null || hash === '') return;
    article.current?.querySelector(`#${CSS.escape(hash)}`)?.scrollIntoView();
  }, [text, hash]);
  return (
    <div className={styles.page}>
      <nav className={styles.pages} aria-label="Documentation">
        <ul>
          {DOC_PAGES.map((one) => (
            <li key={one.name} ref={one.name === name ? bringIntoSight : undefined}>
              <ViewLink to={paths.help(one.name)}>{one.title}</ViewLink>
            </li>
          ))}
          <li>
            <a href="/docs">REST reference</a>
          </li>
          <li>
            <ViewLink to={paths.server()}>This server</ViewLink>
          </li>
        </ul>
      </nav>
      <article ref={article} className={styles.text} data-rendered={text ? name : undefined}>
        <FailedQuery isPage query={page} />
        {page.isPending ? <Loading what="the page" /> : null}
        {text === null ? (
          <ProblemNote
            isPage
            problem={{ status: 404, code: 'no_such_page', title: 'There is no such page of documentation' }}
          />
        ) : null}
        {text ? <Markdown text={text} /> : null}
      </article>
      {text ? <OnThisPage text={text} /> : null}
    </div>
  );
}

/** On a phone the list of pages is one line that scrolls. */
const bringIntoSight = (item: HTMLElement | null) =>
  item?.scrollIntoView({ block: 'nearest', inline: 'center' });
