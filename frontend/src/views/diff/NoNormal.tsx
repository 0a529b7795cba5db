import type { Normals } from '../../api/diff';
import { Panel } from '../../components/panel/Panel';
import { ViewLink } from '../../components/ViewLink';
import type { DiffRef, DiffState } from '../../viewState/diff';
import { HowToFindNormal } from './HowToFindNormal';
import styles from './NoNormal.module.css';
import { likeText, OtherTraces } from './OtherTraces';
import { PasteLink } from './PasteLink';
import { sideLink } from './sideLink';

interface NoNormalProps {
  readonly abnormal: DiffRef;
  readonly normals: Normals;
  readonly state: DiffState;
  readonly onPick: (normal: DiffRef) => void;
}

/** Where the trace has nothing to compare with: the other traces that do. */
export function NoNormal({ abnormal, normals, state, onPick }: NoNormalProps) {
  const back = sideLink(abnormal);
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>Compare with…</h1>
        <p>
          {`This trace has no other ${oneText(normals)}. `}
          <ViewLink to={back.to} search={back.search}>
            {normals.function === null ? 'Back to the case' : 'Back to the call'}
          </ViewLink>
        </p>
      </header>
      <Panel title="Other traces" note={`with ${likeText(normals)}`}>
        <OtherTraces normals={normals} state={state} />
      </Panel>
      <PasteLink onPick={onPick} />
      <HowToFindNormal normals={normals} />
    </article>
  );
}

const oneText = (normals: Normals) => likeText(normals).replace(/^(call|case)s /, '$1 ');
