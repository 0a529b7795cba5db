import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { parseSearch, printSearch } from '../viewState/search';
import { VIEWS } from '../views/registry';
import { ErrorPage, NotFoundPage } from './ErrorPage';
import { Shell } from './Shell';
import { ViewFrame } from './ViewFrame';

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
