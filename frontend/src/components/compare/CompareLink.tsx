import { useNavigate } from '@tanstack/react-router';
import { diffState, type DiffRef } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import { KeyHint } from '../keys/KeyHint';
import { useKeys } from '../keys/keys';
import { ViewLink } from '../ViewLink';

interface CompareLinkProps {
  /** The page whose key it is, for the help sheet. */
  readonly page: string;
  readonly abnormal: DiffRef;
  /** The median of its kind without one. */
  readonly normal?: DiffRef | undefined;
}

/** The link from a call or case to its comparison with a normal one, and its key. */
export function CompareLink({ page, abnormal, normal }: CompareLinkProps) {
  const navigate = useNavigate();
  const search = diffState.write({ ...diffState.read({}).state, abnormal, normal: normal ?? 'auto' });
  useKeys(page, [
    {
      keys: ['n', 'N'],
      does: 'Compare with normal',
      run: () => void navigate({ to: paths.diff(), search: search as never }), // routes come from a table, so the router cannot know their search types
    },
  ]);
  return (
    <ViewLink to={paths.diff()} search={search} title="Compare it with a normal one">
      Compare with normal <KeyHint>N</KeyHint>
    </ViewLink>
  );
}
