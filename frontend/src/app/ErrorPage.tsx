import type { ErrorComponentProps } from '@tanstack/react-router';
import { problemOf } from '../lib/problem';
import { Button } from '../components/button/Button';
import { ProblemNote } from '../components/problem/ProblemNote';
import { ViewLink } from '../components/ViewLink';
import { paths } from '../viewState/paths';

/** Stands in for a view that failed; the rest of the application goes on. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <ProblemNote isPage problem={problemOf(error)}>
      <Button onClick={reset}>Try again</Button>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}

export function NotFoundPage() {
  const problem = {
    status: 404,
    code: 'no_such_page',
    title: 'There is no such page',
    detail: 'The address leads nowhere. A link cut off when it was copied often does that.',
  };
  return (
    <ProblemNote isPage problem={problem}>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}
