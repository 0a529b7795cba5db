import type { DiffAnswer, DiffSet, DiffSide } from '../../api/diffTypes';
import { ViewLink } from '../../components/ViewLink';
import { durationText, exactNs, groupDigits, ns } from '../../lib/ns';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { exactUs } from './deltaText';
import { sideLink } from './sideLink';
import styles from './Sides.module.css';

/** The two sides, each with links to its pages. */
export function Sides({ answer }: { readonly answer: DiffAnswer }) {
  const { abnormal, normal } = answer;
  return (
    <dl className={styles.sides}>
      <dt data-side="abnormal">abnormal</dt>
      <dd>
        {abnormal.set && <SetLine set={abnormal.set} are="abnormal instances" />}
        {abnormal.set && <span className={styles.quiet}>drawn: </span>}
        <SideLine side={abnormal} />
      </dd>
      <dt data-side="normal">normal</dt>
      <dd>
        {normal.set && <SetLine set={normal.set} are="normal instances" />}
        {normal.set && <span className={styles.quiet}>drawn: </span>}
        <SideLine side={normal} />
      </dd>
    </dl>
  );
}

function SideLine({ side }: { readonly side: DiffSide }) {
  const link = sideLink(side);
  return (
    <span className={styles.side}>
      <ViewLink to={link.to} search={link.search}>
        {visibleText(side.title)}
      </ViewLink>
      <span title={exactNs(ns(side.duration_ns))}>{`${exactUs(side.duration_ns)}\u202fµs`}</span>
      <span className={styles.quiet}>{`CPU ${side.cpu}`}</span>
      {(side.comm !== null || side.pid !== null) && (
        <span className={styles.quiet}>{visibleText(taskLabel(side.comm, side.pid))}</span>
      )}
      <span className={styles.quiet}>
        in <ViewLink to={paths.trace(side.trace)}>{visibleText(side.trace_name)}</ViewLink>
      </span>
    </span>
  );
}

interface SetLineProps {
  readonly set: DiffSet;
  readonly are: string;
}

function SetLine({ set, are }: SetLineProps) {
  const { count, used } = set;
  return (
    <span className={styles.side}>
      <span>{`${groupDigits(count)} ${are}`}</span>
      <span className={styles.quiet}>
        {`median ${durationText(ns(set.median_ns))}, spread (MAD) ${durationText(ns(set.mad_ns))}, `}
        {`${durationText(ns(set.min_ns))} to ${durationText(ns(set.max_ns))}`}
        {used < count ? `; ${groupDigits(used)} aligned` : ''}
      </span>
    </span>
  );
}
