import type { DiffAnswer, DiffGuard, DiffSet, DiffSide } from '../../api/diff';
import { useClock } from '../../components/clock/useClock';
import { TaskLink } from '../../components/TaskLink';
import { ViewLink } from '../../components/ViewLink';
import { groupDigits, ns } from '../../lib/ns';
import { spreadText } from '../../lib/mad';
import { taskLabel } from '../../lib/taskKind';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './DiffHead.module.css';
import { headlineOf } from './headline';
import { columnUnit, totalText } from './rowText';
import { isCase, sideLink } from './sideLink';

/** The sentence of the comparison, what makes it doubtful, and the two sides. */
export function DiffHead({ answer }: { readonly answer: DiffAnswer }) {
  const { guard, notes } = answer;
  const { headline, rest, isSameSentence } = headlineOf(answer.summary);
  const ordered = guard.toSorted((one, other) => Number(other.is_doubtful) - Number(one.is_doubtful));
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.summary}>{sentenceText(headline)}</h1>
        {rest === undefined ? null : <p>{`${isSameSentence ? 'Also: ' : ''}${sentenceText(rest)}`}</p>}
        {answer.is_doubtful && (
          <p className={styles.doubtful}>
            The recordings differ, and part of the difference may come from that:
          </p>
        )}
        {(ordered.length > 0 || notes.length > 0) && (
          <ul className={styles.notes} aria-label="Notes on this comparison">
            {ordered.map((note) => (
              <GuardNote key={note.name} note={note} />
            ))}
            {notes.map((note) => (
              <li key={note}>{sentenceText(note)}</li>
            ))}
          </ul>
        )}
      </header>
      <Sides answer={answer} />
    </>
  );
}

function GuardNote({ note }: { readonly note: DiffGuard }) {
  return (
    <li data-doubtful={note.is_doubtful} className={styles.note}>
      {note.is_doubtful && <span className={styles.tag}>doubtful</span>}
      {sentenceText(note.sentence)}
    </li>
  );
}

/** The two sides, each with links to its pages. */
function Sides({ answer }: { readonly answer: DiffAnswer }) {
  const { abnormal, normal } = answer;
  const isTwin = abnormal.trace !== normal.trace && abnormal.trace_name === normal.trace_name;
  return (
    <dl className={styles.sides}>
      <dt data-side="abnormal">abnormal</dt>
      <dd>
        {abnormal.set && <SetLine set={abnormal.set} are="abnormal instances" />}
        {abnormal.set && <span className={styles.quiet}>drawn: </span>}
        <SideLine side={abnormal} isTwin={isTwin} />
      </dd>
      <dt data-side="normal">normal</dt>
      <dd>
        {normal.set && <SetLine set={normal.set} are="normal instances" />}
        {normal.set && <span className={styles.quiet}>drawn: </span>}
        <SideLine side={normal} isTwin={isTwin} />
      </dd>
    </dl>
  );
}

interface SideLineProps {
  readonly side: DiffSide;
  /** The other side is of another trace of the same name. */
  readonly isTwin: boolean;
}

/** What a side is, and when it began, since all else can be the same on both. */
function SideLine({ side, isTwin }: SideLineProps) {
  const link = sideLink(side);
  const clock = useClock();
  return (
    <span className={styles.side}>
      <ViewLink to={link.to} search={link.search}>
        {visibleText(side.title)}
      </ViewLink>
      <span title={clock.exact(ns(side.duration_ns))}>
        {totalText(side.duration_ns, columnUnit([side.duration_ns], clock))}
      </span>
      <span className={styles.quiet}>{`CPU ${side.cpu}`}</span>
      {(side.comm !== null || side.pid !== null) && (
        <code className={styles.quiet}>
          <SideTask side={side} />
        </code>
      )}
      <span className={styles.quiet}>
        in <ViewLink to={paths.trace(side.trace)}>{visibleText(side.trace_name)}</ViewLink>
        {isTwin ? ` (${side.trace})` : ''}
        {` at ${clock.instant(ns(side.t))}`}
      </span>
    </span>
  );
}

/** The task of a side, which leads to its lane around the case; a trace of calls alone may have no lanes. */
function SideTask({ side }: { readonly side: DiffSide }) {
  const { pid, comm, trace } = side;
  if (pid === null || !isCase(side)) return visibleText(taskLabel(comm, pid));
  const start = Math.max(0, side.t);
  const window = { start: ns(start), end: ns(start + Math.max(1, side.duration_ns)) };
  return <TaskLink traceId={trace} comm={comm} pid={pid} state={{ window }} />;
}

interface SetLineProps {
  readonly set: DiffSet;
  readonly are: string;
}

function SetLine({ set, are }: SetLineProps) {
  const { count, used } = set;
  const clock = useClock();
  return (
    <span className={styles.side}>
      <span>{`${groupDigits(count)} ${are}`}</span>
      <span className={styles.quiet}>
        {spreadText(set, clock)}
        {used < count ? `; ${groupDigits(used)} aligned` : ''}
      </span>
    </span>
  );
}
