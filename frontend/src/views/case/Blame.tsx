import { useMemo, useState } from 'react';
import type { Blame as BlameRow, LatencyCase } from '../../api/latencyTypes';
import { Button } from '../../components/button/Button';
import { CauseFill, CauseSwatch } from '../../components/cause/Cause';
import { causeName } from '../../components/cause/causeLook';
import { useWindowHeight } from '../../components/chart/useWindowHeight';
import { NotRecorded } from '../../components/NotRecorded';
import { Fold } from '../../components/panel/Fold';
import { Panel } from '../../components/panel/Panel';
import { useClock } from '../../components/clock/useClock';
import { Duration } from '../../components/Quantity';
import { Table, type Column } from '../../components/table/Table';
import { TaskLink } from '../../components/TaskLink';
import { ViewLink } from '../../components/ViewLink';
import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { priorityOf } from '../../lib/priority';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import { timelineAround } from './caseMarks';
import styles from './Blame.module.css';

interface BlameProps {
  readonly traceId: string;
  readonly latencyCase: LatencyCase;
  /** Something else says more of why it took so long. */
  readonly isFolded?: boolean;
}

/** On a laptop; a screen of more room lists more, which would else be blank. */
const MOST_LISTED = 12;
const PX_PER_ROW = 56;

const mostListed = (windowPx: number) => Math.max(MOST_LISTED, Math.floor(windowPx / PX_PER_ROW));
const NEEDED = ['sched', 'irq', 'irq_vectors'];

/** What took the time of the case: every nanosecond belongs to one cause, and they add up to the whole. */
export function Blame({ traceId, latencyCase, isFolded = false }: BlameProps) {
  const Frame = isFolded ? Fold : Panel;
  const [showsAll, setShowsAll] = useState(false);
  const columns = useMemo(() => columnsOf(traceId, latencyCase), [traceId, latencyCase]);
  const clock = useClock();
  const most = mostListed(useWindowHeight());
  const rest = latencyCase.blame.slice(most);
  return (
    <Frame title="Where the time went" note={`${clock.duration(ns(latencyCase.duration_ns))} in total`}>
      {latencyCase.blame.length === 0 ? (
        <NotRecorded
          what="This trace does not record what the CPU was doing. These events do:"
          needs={NEEDED}
        />
      ) : (
        <>
          <div className={styles.bar} aria-hidden>
            {latencyCase.blame.map((row) => (
              <span
                key={keyOf(row)}
                className={styles.part}
                style={{ flexGrow: row.duration_ns }}
                title={`${percentText(row.share, 1)} ${causeName(row.cause)} ${visibleText(row.what)}`}
              >
                <CauseFill cause={row.cause} what={row.what} className={styles.fill} />
              </span>
            ))}
          </div>
          <Table
            label="Where the time went"
            columns={columns}
            rows={showsAll ? latencyCase.blame : latencyCase.blame.slice(0, most)}
            keyOf={keyOf}
          />
          {latencyCase.blame.length > most && !showsAll ? (
            <p className={styles.note}>
              {`${groupDigits(rest.length)} more ${rest.length === 1 ? 'cause' : 'causes'}, ${clock.duration(ns(sumOf(rest)))} in total. `}
              <Button onClick={() => setShowsAll(true)}>Show all</Button>
            </p>
          ) : null}
        </>
      )}
      <EvidenceList traceId={traceId} latencyCase={latencyCase} />
    </Frame>
  );
}

const largestOf = (rows: readonly BlameRow[]) =>
  rows.reduce((most, { duration_ns }) => Math.max(most, duration_ns), 1);

const sumOf = (rows: readonly BlameRow[]) => rows.reduce((sum, { duration_ns }) => sum + duration_ns, 0);

const keyOf = ({ cause, what, where }: BlameRow) => `${cause} ${what} ${where ?? ''}`;

const columnsOf = (traceId: string, latencyCase: LatencyCase): readonly Column<BlameRow>[] => [
  {
    id: 'cause',
    title: 'Cause',
    cell: (row) => (
      <>
        <CauseSwatch cause={row.cause} what={row.what} />
        {causeName(row.cause)}
      </>
    ),
  },
  {
    id: 'what',
    title: 'What',
    isName: true,
    cell: (row) => (
      <code title={visibleText([row.what, row.where].filter(Boolean).join(', '))}>
        <WithTask {...{ traceId, latencyCase }} pid={row.pid} text={whatOf(row)} />{' '}
        <span className={styles.quiet}>
          <WithTask {...{ traceId, latencyCase }} pid={row.pid} text={placeOf(row)} />
        </span>
      </code>
    ),
  },
  {
    id: 'duration',
    title: 'Time',
    isNumber: true,
    cell: (row) => <Duration value={ns(row.duration_ns)} />,
  },
  { id: 'share', title: 'Share', isNumber: true, rank: 1, cell: (row) => percentText(row.share, 1) },
  {
    id: 'bar',
    title: 'beside the largest',
    isTitleUnseen: true,
    isWidest: true,
    rank: 1,
    bar: (row) => row.duration_ns / largestOf(latencyCase.blame),
    cell: () => null,
  },
];

interface WithTaskProps extends BlameProps {
  readonly pid: number | null;
  readonly text: string;
}

/** `cyclictest-372`, `in cyclictest-372`: the name leads to the lane of the task; any other text is only that. */
function WithTask({ traceId, latencyCase, pid, text }: WithTaskProps) {
  const [, before = '', comm] = /^(in )?(.*)-\d+$/.exec(text) ?? [];
  if (pid === null || comm === undefined || !text.endsWith(`-${pid}`)) return visibleText(text);
  const { state } = timelineState.read(timelineAround(latencyCase));
  return (
    <>
      {before}
      <TaskLink traceId={traceId} comm={comm} pid={pid} state={state} />
    </>
  );
}

/** Nothing where the cause has said it: `not recorded`. */
const whatOf = ({ cause, what }: BlameRow) => (what === causeName(cause) ? '' : what);

/** Where it was, with a task's priority as people set it. */
function placeOf({ where, prio }: BlameRow): string {
  const set = priorityOf(prio);
  return set === undefined ? (where ?? '') : (where ?? '').replace(set.kernel, set.text);
}

/** The recorded stretches that the blame rests on, one sentence each; each leads to its place in the timeline. */
function EvidenceList({ traceId, latencyCase }: BlameProps) {
  if (latencyCase.evidence.length === 0) return null;
  return (
    <ul className={styles.evidence} aria-label="Evidence">
      {latencyCase.evidence.map((one) => (
        <li key={`${one.t} ${one.cause} ${one.what}`}>
          <CauseSwatch cause={one.cause} what={one.what} />
          <span className={styles.sentence}>
            {sentenceText(one.sentence)}{' '}
            <ViewLink
              to={paths.timeline(traceId)}
              search={timelineAround({ window: latencyCase.window, t: one.t, end: one.end })}
              title="Show this stretch in the timeline"
            >
              show
            </ViewLink>
          </span>
        </li>
      ))}
    </ul>
  );
}
