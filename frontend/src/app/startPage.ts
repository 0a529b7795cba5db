import { catalogQuery } from '../api/catalog';
import { overviewQuery } from '../api/lanes';
import { caseQuery } from '../api/latencies';
import { queryClient } from '../api/queryClient';
import { traceQuery } from '../api/traces';
import { VIEWS } from '../views/registry';

/** Starts what the page at an address waits for, before anything is drawn: its script, its trace, and its case. */
export function startPage(path: string): void {
  // A script that does not come is said where the page is drawn.
  void viewAt(path)
    ?.load()
    .catch(() => undefined);
  // What is escaped in an address is asked for by the page, which can say what is wrong with it.
  const [, trace, one] = /^\/t\/([a-z0-9]+)(?:\/cases\/([^/%]+)|\/|$)/.exec(path) ?? [];
  if (trace !== undefined) void startTrace(trace, path.endsWith('/timeline'));
  if (trace !== undefined && one !== undefined) void queryClient.prefetchQuery(caseQuery(trace, one));
}

/** The trace, and at the same time the kinds that every answer about it names; for lanes, then the whole in short. */
async function startTrace(id: string, hasLanes: boolean): Promise<void> {
  const query = traceQuery(id);
  void queryClient.prefetchQuery(catalogQuery);
  await queryClient.prefetchQuery(query);
  const trace = queryClient.getQueryData(query.queryKey);
  if (hasLanes && trace?.status === 'ready') await queryClient.prefetchQuery(overviewQuery(trace));
}

/** The view whose path has as many parts, each the same or named by a `$`. */
export function viewAt(path: string): (typeof VIEWS)[number] | undefined {
  const parts = path.split('/');
  return VIEWS.find((view) => {
    const wanted = view.path.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part.startsWith('$') && parts[at] !== ''))
    );
  });
}
