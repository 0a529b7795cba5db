import { Button } from '../../components/button/Button';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { groupDigits } from '../../lib/ns';
import type { Variant } from '../../lib/variants';
import { visibleText } from '../../lib/visibleText';
import type { CompareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Compare.module.css';

interface DeletedNoteProps {
  readonly before: readonly Variant[];
  /** What of them is still there. */
  readonly left: readonly Variant[];
  /** How many traces are not. */
  readonly gone: number;
  readonly setState: SetViewState<CompareState>;
}

/** Says which traces of a comparison are gone, since its numbers are not what they were. */
export function DeletedNote({ before, left, gone, setState }: DeletedNoteProps) {
  if (gone === 0) return null;
  if (left.length === 0) {
    return (
      <ProblemNote isPage problem={ALL_GONE}>
        <ViewLink to={paths.traces()}>All traces</ViewLink>
        <ViewLink to={paths.experiments()}>Saved experiments</ViewLink>
      </ProblemNote>
    );
  }
  const lost = before.filter(({ name }) => !left.some((one) => one.name === name));
  return (
    <p className={styles.deleted} role="status">
      {`${goneText(gone)} deleted since, and ${gone === 1 ? 'is' : 'are'} not part of this.`}
      {lost.length > 0 ? ` Nothing is left of ${lost.map(({ name }) => visibleText(name)).join(', ')}.` : ''}
      <Button look="bare" onClick={() => setState({ variants: left }, { history: 'push' })}>
        Leave them out
      </Button>
    </p>
  );
}

const goneText = (count: number) =>
  count === 1 ? '1 trace of this comparison was' : `${groupDigits(count)} traces of this comparison were`;

const ALL_GONE = {
  status: 0,
  code: 'traces_deleted',
  title: 'The traces of this comparison were deleted',
  detail: 'Upload the same files again to see it as it was: the same file is the same trace.',
};
