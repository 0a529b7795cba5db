import { useLoadAgain } from '../../api/traces';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { problemOf, problemOfTrace } from '../../lib/problem';
import { paths } from '../../viewState/paths';

interface FailedTraceProps {
  readonly id: string;
  readonly error: NonNullable<Trace['error']>;
  readonly onDelete: () => void;
}

/** What kept the file from being read that is not in the file, and so may be gone. */
const CURABLE: ReadonlySet<string> = new Set(['io', 'crash', 'limit']);

/** Why the trace could not be loaded, and the ways out; loading it again where that can help. */
export function FailedTrace({ id, error, onDelete }: FailedTraceProps) {
  const again = useLoadAgain(id);
  return (
    <>
      <ProblemNote problem={problemOfTrace(error)}>
        {CURABLE.has(error.class) ? (
          <Button onClick={() => again.mutate()} disabled={again.isPending}>
            Load again
          </Button>
        ) : null}
        <Button look="danger" onClick={onDelete}>
          Delete
        </Button>
        <ViewLink to={paths.traces()}>All traces</ViewLink>
      </ProblemNote>
      {again.isError ? <ProblemNote problem={problemOf(again.error)} /> : null}
    </>
  );
}
