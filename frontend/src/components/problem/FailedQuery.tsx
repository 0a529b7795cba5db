import type { ReactNode } from 'react';
import { deletable, problemOf } from '../../lib/problem';
import { paths } from '../../viewState/paths';
import { ViewLink } from '../ViewLink';
import { ProblemNote } from './ProblemNote';

interface FailedQueryProps {
  /** A question to the server; as long as it has not failed, there is nothing to say. */
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
  /** The problem is all that the page has to say. */
  readonly isPage?: boolean;
  /** Ways out beside a retry. */
  readonly children?: ReactNode;
}

/** What failed, and a retry where that can help. */
export function FailedQuery({ query, isPage, children }: FailedQueryProps) {
  if (query.error === null) return null;
  return (
    <ProblemNote
      problem={problemOf(query.error)}
      onRetry={() => void query.refetch()}
      {...(isPage !== undefined && { isPage })}
    >
      {children}
    </ProblemNote>
  );
}

/** A page about what people can delete, of which nothing can be shown; leads to the traces unless told elsewhere. */
export function FailedPage({ query, children }: Omit<FailedQueryProps, 'isPage'>) {
  if (query.error === null) return null;
  return (
    <ProblemNote isPage problem={deletable(problemOf(query.error))} onRetry={() => void query.refetch()}>
      {children ?? <ViewLink to={paths.traces()}>All traces</ViewLink>}
    </ProblemNote>
  );
}
