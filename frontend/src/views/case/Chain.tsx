import { useMemo, useState } from 'react';
import type { ChainLink } from '../../api/chain';
import type { LatencyCase } from '../../api/latencyTypes';
import { useClock } from '../../components/clock/useClock';
import { HelpLink } from '../../components/HelpLink';
import { Panel } from '../../components/panel/Panel';
import { Duration } from '../../components/Quantity';
import { useMechanisms } from '../../components/term/meanings';
import { Term } from '../../components/term/Term';
import { ViewLink } from '../../components/ViewLink';
import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { priorityOf } from '../../lib/priority';
import { sentenceText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './Chain.module.css';
import { chainRuns } from './chainRuns';
import { alsoText, certaintyText, mechanismName, normalText } from './chainWords';
import type { Lights } from './useLit';

interface ChainProps {
  readonly traceId: string;
  readonly latencyCase: LatencyCase;
  readonly why: readonly ChainLink[];
  readonly lights: Lights;
}

/** Why the case was late, link by link in order of time; each lights its stretch and the events it rests on. */
export function Chain(props: ChainProps) {
  const { latencyCase, why } = props;
  const clock = useClock();
  const [showsAll, setShowsAll] = useState(false);
  const runs = useMemo(() => chainRuns(why), [why]);
  return (
    <Panel
      title="Why"
      note={`${clock.duration(ns(latencyCase.duration_ns))} from start to end`}
      actions={
        <HelpLink page="why" section="mechanisms" title="What each reason means, and how it is recognised">
          Mechanisms
        </HelpLink>
      }
    >
      <ol className={styles.chain} aria-label="Chain">
        {runs.map((run) =>
          run.isFolded && !showsAll ? (
            <FoldedLinks
              key={`links-${run.links[0]}`}
              links={run.links.flatMap((index) => why[index] ?? [])}
              whole={latencyCase.duration_ns}
              onShow={() => setShowsAll(true)}
            />
          ) : (
            run.links.map((index) => {
              const [link, id] = [why[index], `link-${index + 1}`];
              if (link === undefined) return null;
              const part = { link, id, whole: latencyCase.duration_ns, isLate: link.is_late };
              return <LinkRow key={id} {...props} {...part} />;
            })
          ),
        )}
      </ol>
    </Panel>
  );
}

interface FoldedLinksProps {
  readonly links: readonly ChainLink[];
  readonly whole: number;
  readonly onShow: () => void;
}

/** Links of a long chain that are short beside the others: how many, and how long all together. */
function FoldedLinks({ links, whole, onShow }: FoldedLinksProps) {
  const total = links.reduce((sum, { duration_ns }) => sum + duration_ns, 0);
  return (
    <li className={styles.folded}>
      <div className={styles.link}>
        <span className={styles.length}>
          <Duration value={ns(total)} />
        </span>
        <span className={styles.share}>{percentText(total, whole)}</span>
        <button type="button" className={styles.sentence} aria-expanded={false} onClick={onShow}>
          {`▸ ${groupDigits(links.length)} shorter links`}
        </button>
      </div>
    </li>
  );
}

interface LinkRowProps extends ChainProps {
  readonly link: ChainLink;
  readonly id: string;
  /** What its share is of. */
  readonly whole: number;
  readonly isLate: boolean;
}

function LinkRow(props: LinkRowProps) {
  const { link, id, whole, isLate, lights } = props;
  const clock = useClock();
  const meanings = useMechanisms();
  const prio = priorityOf(link.subject?.prio);
  const reason = [mechanismName(link.mechanism), prio && `${prio.text} (${prio.kernel})`]
    .filter(Boolean)
    .join(', ');
  const facts = [alsoText(link), certaintyText(link, props.latencyCase.t, clock)].filter(Boolean);
  return (
    <li data-late={isLate || undefined}>
      <div
        className={styles.link}
        data-lit={lights.lit?.id === id || undefined}
        onPointerMove={() => lights.point(id)}
        onPointerLeave={() => lights.point(undefined)}
      >
        <span className={styles.length}>
          <Duration value={ns(link.duration_ns)} />
        </span>
        <span className={styles.share}>{percentText(link.duration_ns, whole)}</span>
        <span className={styles.words}>
          <Term title={reason} meaning={meanings.get(link.mechanism) ?? ''}>
            <button
              type="button"
              className={styles.sentence}
              aria-pressed={lights.picked?.id === id}
              onFocus={() => lights.point(id)}
              onBlur={() => lights.point(undefined)}
              onClick={() => lights.pick(id)}
            >
              {sentenceText(link.sentence)}
            </button>
          </Term>
          {facts.length > 0 && <span className={styles.fact}>{facts.map((fact) => ` · ${fact}`)}</span>}
        </span>
        <span className={styles.normal}>
          {link.normal && normalText(link.normal, link.duration_ns, clock)}
        </span>
      </div>
      <Deeper {...props} />
    </li>
  );
}

/** What the link hangs on: a case of its own, or a chain under it. */
function Deeper(props: LinkRowProps) {
  const { link, id, traceId } = props;
  if (link.deeper === null) return null;
  const { case: caseId, links } = link.deeper;
  return (
    <div className={styles.deeper}>
      {caseId !== null && (
        <ViewLink to={paths.case(traceId, caseId)}>Why that took so long: its own case</ViewLink>
      )}
      {links !== null && links.length > 0 && (
        <ol className={styles.chain}>
          {links.map((one, index) => (
            <LinkRow
              key={`${id}.${index + 1}`}
              {...props}
              link={one}
              id={`${id}.${index + 1}`}
              whole={link.duration_ns}
              isLate={false}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
