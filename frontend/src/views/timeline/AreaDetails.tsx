import { useQuery } from '@tanstack/react-query';
import { timelineQuery } from '../../api/lanes';
import { Button } from '../../components/button/Button';
import type { TimeWindow } from '../../components/chart/timeWindow';
import type { ItemNames } from '../../components/lanes/laneModel';
import { kindOf } from '../../components/lanes/sliceKinds';
import { itemColour } from '../../components/lanes/timelineScene';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Duration } from '../../components/Quantity';
import { useTheme } from '../../components/theme/theme';
import { exactIn, groupDigits, ns } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { areaStats, type ShareOfTime } from './areaStats';
import styles from './Details.module.css';
import { Exact } from './Exact';

interface AreaDetailsProps {
  readonly traceId: string;
  readonly area: TimeWindow;
  readonly onFrame: (area: TimeWindow) => void;
}

const AREA_COLUMNS = 2000;
const MOST_SHARES = 200;

/** Length of the selected stretch, and what every task, interrupt, softirq and idle state took of it. */
export function AreaDetails({ traceId, area, onFrame }: AreaDetailsProps) {
  const answer = useQuery(timelineQuery(traceId, { start: area.start, end: area.end, width: AREA_COLUMNS }));
  const length = ns(area.end - area.start);
  const stats = answer.data && !answer.isPlaceholderData ? areaStats(answer.data, area) : undefined;
  return (
    <>
      <h3 className={styles.kind}>Selected range</h3>
      <p className={styles.name} data-testid="area-length">
        <Duration value={length} /> <Exact value={length} />
      </p>
      <p className={styles.quiet}>
        {`${exactIn(ns(area.start), 's')} to ${exactIn(ns(area.end), 's')}\u202fs`}
      </p>
      <p className={styles.ways}>
        <Button onClick={() => onFrame(area)}>Zoom to it</Button>
      </p>
      {answer.isError && <ProblemNote problem={problemOf(answer.error)} />}
      {answer.data === undefined || stats === undefined ? (
        <p className={styles.quiet}>Loading …</p>
      ) : (
        <>
          {!stats.isExact && (
            <p className={styles.quiet}>
              Too many slices to list: these are sums of time buckets, each named after its largest slice.
            </p>
          )}
          <Shares shares={stats.shares.slice(0, MOST_SHARES)} names={answer.data} />
          {stats.shares.length > MOST_SHARES && (
            <p className={styles.quiet}>{`and ${groupDigits(stats.shares.length - MOST_SHARES)} more`}</p>
          )}
        </>
      )}
    </>
  );
}

interface SharesProps {
  readonly shares: readonly ShareOfTime[];
  readonly names: ItemNames;
}

function Shares({ shares, names }: SharesProps) {
  const look = useTheme();
  if (shares.length === 0) return <p className={styles.quiet}>Nothing was recorded here.</p>;
  return (
    <table className={styles.shares}>
      <thead>
        <tr>
          <th scope="col">CPU</th>
          <th scope="col">what</th>
          <th scope="col">count</th>
          <th scope="col">total</th>
          <th scope="col">longest</th>
          <th scope="col">share</th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={`${share.cpu} ${share.kind} ${share.name}`}>
            <td>{share.cpu}</td>
            <td className={styles.code} title={`${kindOf(share.lane, names.kinds).title}: ${share.name}`}>
              <span
                className={styles.swatch}
                style={{ background: itemColour(share.lane, share.index, names, look) }}
              />
              {share.name}
            </td>
            <td>{groupDigits(share.count)}</td>
            <td>
              <Duration value={ns(Math.round(share.total_ns))} />
            </td>
            <td>
              <Duration value={ns(share.max_ns)} />
            </td>
            <td
              className={styles.share}
              style={{ backgroundSize: `${Math.min(100, share.share * 100)}% 100%` }}
            >{`${(share.share * 100).toFixed(1)}\u202f%`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
