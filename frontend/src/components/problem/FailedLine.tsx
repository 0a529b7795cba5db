import { mayPass, problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { Button } from '../button/Button';

interface FailedLineProps {
  /** A question to the server that has failed. */
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
  /** What is missing now, as a sentence. */
  readonly children: string;
}

/** What failed where there is room for one line: why it did is for the pointer, with a retry where that can help. */
export function FailedLine({ query, children }: FailedLineProps) {
  const problem = problemOf(query.error);
  return (
    <span role="alert" title={visibleText(problem.detail ?? problem.title)}>
      {children}
      {mayPass(problem) ? (
        <>
          {' '}
          <Button look="bare" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </>
      ) : null}
    </span>
  );
}
