import type { ReactNode } from 'react';
import { problemOf } from '../../lib/problem';
import { Button } from '../button/Button';
import { ProblemNote } from './ProblemNote';

interface FailedQueryProps {
  /** A question to the server; as long as it has not failed, there is nothing to say. */
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
  /** The problem is all that the page has to say. */
  readonly isPage?: boolean;
  /** Ways out beside asking once more. */
  readonly children?: ReactNode;
}

/** What failed, and the way to ask the server once more. */
export function FailedQuery({ query, isPage, children }: FailedQueryProps) {
  if (query.error === null) return null;
  return (
    <ProblemNote problem={problemOf(query.error)} {...(isPage !== undefined && { isPage })}>
      <Button onClick={() => void query.refetch()}>Retry</Button>
      {children}
    </ProblemNote>
  );
}
