import { useQuery } from '@tanstack/react-query';
import { type Normals, normalsQuery } from '../../api/diff';
import { Loading } from '../../components/Loading';
import { Panel } from '../../components/panel/Panel';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { problemOf } from '../../lib/problem';
import { type DiffRef, type DiffState, printRef } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import styles from './NoNormal.module.css';
import { likeText, OtherTraces } from './OtherTraces';
import { PasteLink } from './PasteLink';
import { sideLink } from './sideLink';

interface NoNormalProps {
  readonly abnormal: DiffRef;
  readonly state: DiffState;
  /** Why there is no comparison. */
  readonly error: Error;
  readonly onPick: (normal: DiffRef) => void;
}

/** Where the trace has nothing to compare with: the other traces that do. */
export function NoNormal({ abnormal, state, error, onPick }: NoNormalProps) {
  const normals = useQuery(normalsQuery(printRef(abnormal)));
  if (normals.isPending) return <Loading what="what it can be compared with" />;
  // The call or case itself is not there, or the server does not answer.
  if (normals.isError) {
    return (
      <ProblemNote isPage problem={problemOf(error)}>
        <ViewLink to={paths.trace(abnormal.trace)}>The trace</ViewLink>
      </ProblemNote>
    );
  }
  const back = sideLink(abnormal);
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>Compare with…</h1>
        <p>
          {`This trace has no other ${oneText(normals.data)}. `}
          <ViewLink to={back.to} search={back.search}>
            Back to it
          </ViewLink>
        </p>
      </header>
      <Panel title="Other traces" note={`with ${likeText(normals.data)}`}>
        <OtherTraces normals={normals.data} state={state} />
      </Panel>
      <PasteLink onPick={onPick} />
    </article>
  );
}

const oneText = (normals: Normals) => likeText(normals).replace(/^(call|case)s /, '$1 ');
