import { createRootRoute, createRoute, createRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { parseSearch, printSearch } from '../viewState/search';
import { VIEWS } from '../views/registry';
import { Shell } from './Shell';
import { ViewFrame } from './ViewFrame';
import { problemOf } from '../lib/problem';
import { Button } from '../components/button/Button';
import { ProblemNote } from '../components/problem/ProblemNote';
import { ViewLink } from '../components/ViewLink';
import { paths } from '../viewState/paths';

/** The router over all registered views; their paths and nothing else are its routes. */
export function createAppRouter() {
  const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });
  const routes = VIEWS.map((view) =>
    createRoute({
      getParentRoute: () => root,
      path: view.path,
      component: () => <ViewFrame view={view} />,
      errorComponent: ErrorPage,
    }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    parseSearch,
    stringifySearch: printSearch,
    // Ids of cases are made of these, and a link with %40 in it is not one that people trust.
    pathParamsAllowedCharacters: ['@', '+'],
    trailingSlash: 'never',
    scrollRestoration: false,
  });
}

/** Shown in place of a view that failed; the rest of the application keeps working. */
function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <ProblemNote isPage problem={problemOf(error)}>
      <Button onClick={reset}>Try again</Button>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}

function NotFoundPage() {
  const problem = {
    status: 404,
    code: 'no_such_page',
    title: 'Page not found',
    detail: 'Nothing is at this address. Links are often cut off when they are copied.',
  };
  return (
    <ProblemNote isPage problem={problem}>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}
