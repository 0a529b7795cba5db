import { useQuery } from '@tanstack/react-query';
import { callQuery, type Call } from '../../api/calls';
import type { Trace } from '../../api/types';
import { useClock } from '../../components/clock/useClock';
import { CompareLink } from '../../components/compare/CompareLink';
import { Exact } from '../../components/Exact';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Duration } from '../../components/Quantity';
import { SymbolName } from '../../components/SymbolName';
import { TaskLink } from '../../components/TaskLink';
import { ViewLink } from '../../components/ViewLink';
import { hasLanes } from '../../lib/hasLanes';
import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { problemOf } from '../../lib/problem';
import { recordedOrigin } from '../../lib/stamp';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import styles from './Calls.module.css';
import type { InsideCall } from './insideCall';

interface CallDetailsProps {
  readonly trace: Trace;
  readonly id: string;
  /** What had its time, where all of it is drawn. */
  readonly inside?: readonly InsideCall[] | undefined;
  readonly onCall: (call: Call) => void;
  /** Picks a call in it, which is drawn already. */
  readonly onInside?: ((id: string) => void) | undefined;
}

/** One call with all that the trace says about it, and who called it. */
export function CallDetails({ trace, id, inside, onCall, onInside }: CallDetailsProps) {
  const found = useQuery(callQuery(trace.id, id));
  if (found.isError) return <ProblemNote problem={problemOf(found.error)} />;
  if (found.data === undefined) return <p className={styles.quiet}>Loading …</p>;
  const { call, callers } = found.data;
  return (
    <>
      <p className={styles.name}>{visibleText(call.symbol)}</p>
      <CallFacts trace={trace} call={call} originNs={recordedOrigin(trace)} />
      <Doubts call={call} isDerived={trace.time_origin === 'derived'} />
      <CallWays trace={trace} call={call} />
      {callers.length > 0 && (
        <>
          <h3 className={styles.kind}>Called by</h3>
          <ul className={styles.callers}>
            {callers.map((caller) => (
              <li key={caller.id}>
                <button type="button" className={styles.caller} onClick={() => onCall(caller)}>
                  <SymbolName name={caller.symbol} />
                </button>
                <Duration value={ns(caller.duration_ns)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {inside && inside.length > 1 ? (
        <Inside inside={inside} totalNs={call.duration_ns} onInside={onInside} />
      ) : null}
    </>
  );
}

/** As many as fit beside a chart; the others are in the table of the chart. */
const MOST_INSIDE = 16;

interface InsideProps extends Pick<CallDetailsProps, 'onInside'> {
  readonly inside: readonly InsideCall[];
  readonly totalNs: number;
}

/** The functions that had its time, each without what it calls. */
function Inside({ inside, totalNs, onInside }: InsideProps) {
  const rest = inside.slice(MOST_INSIDE);
  const restNs = rest.reduce((sum, { self_ns }) => sum + self_ns, 0);
  return (
    <>
      <h3 className={styles.kind}>Where its time went, self</h3>
      <ul className={styles.callers} aria-label="Where its time went">
        {inside.slice(0, MOST_INSIDE).map(({ symbol, self_ns, count, id }) => (
          <li key={symbol}>
            <button type="button" className={styles.caller} onClick={() => onInside?.(id)}>
              <SymbolName name={symbol} />
            </button>
            <span className={styles.part}>
              {count > 1 ? <span className={styles.quiet}>{`${groupDigits(count)} ×`}</span> : null}
              <Duration value={ns(self_ns)} />
              <span className={styles.quiet}>{percentText(self_ns, totalNs)}</span>
            </span>
          </li>
        ))}
      </ul>
      {rest.length > 0 ? (
        <p className={styles.quiet}>
          {`${groupDigits(rest.length)} more functions, `}
          <Duration value={ns(restNs)} />
        </p>
      ) : null}
    </>
  );
}

interface CallFactsProps extends Pick<CallDetailsProps, 'trace'> {
  readonly call: Call;
  readonly originNs: string | null;
}

function CallFacts({ trace, call, originNs }: CallFactsProps) {
  const clock = useClock();
  return (
    <dl className={styles.facts}>
      <dt title="Including the functions that it calls">total</dt>
      <dd>
        <Duration value={ns(call.duration_ns)} /> <Exact value={call.duration_ns} />
      </dd>
      <dt title="Excluding the functions that it calls">self</dt>
      <dd>
        <Duration value={ns(call.self_ns)} /> <Exact value={call.self_ns} />
      </dd>
      <dt>start</dt>
      <dd>{clock.instant(ns(call.t))}</dd>
      {originNs !== null && (
        <>
          <dt title="As printed in the file">stamp</dt>
          <dd>{clock.stamp(originNs, ns(call.t))}</dd>
        </>
      )}
      <dt>CPU</dt>
      <dd>{call.cpu}</dd>
      <dt>task</dt>
      <dd>
        {hasLanes(trace) && call.pid !== null ? (
          <TaskLink traceId={trace.id} comm={call.comm} pid={call.pid} />
        ) : (
          visibleText(taskLabel(call.comm, call.pid))
        )}
      </dd>
      <dt>depth</dt>
      <dd>{call.depth}</dd>
      {call.args !== '' && (
        <>
          <dt>arguments</dt>
          <dd>
            <code>{visibleText(call.args)}</code>
          </dd>
        </>
      )}
      {call.retval !== '' && (
        <>
          <dt>returned</dt>
          <dd>
            <code>{visibleText(call.retval)}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

/** What makes the numbers of this call less than certain. */
function Doubts({ call, isDerived }: { readonly call: Call; readonly isDerived: boolean }) {
  const doubts = [
    call.started_before &&
      'It began before the recording: its start is computed from its end and its duration.',
    call.cut_at_end && 'The recording ends during it: it took at least this long.',
    call.has_gap && 'Events were lost during it: some of its calls are missing.',
    isDerived && 'Its start is derived from durations, not recorded.',
  ].filter((doubt) => doubt !== false);
  return doubts.map((doubt) => (
    <p key={doubt} className={styles.warn}>
      {doubt}
    </p>
  ));
}

function CallWays({ trace, call }: { readonly trace: Trace; readonly call: Call }) {
  const { state: fresh } = callsState.read({});
  const { state: timeline } = timelineState.read({});
  const margin = Math.max(1000, call.duration_ns);
  const window = { start: ns(Math.max(0, call.t - margin)), end: ns(call.t + call.duration_ns + margin) };
  const area = { start: ns(call.t), end: ns(call.t + Math.max(1, call.duration_ns)) };
  return (
    <p className={styles.ways}>
      <CompareLink page="Calls" abnormal={{ trace: trace.id, id: call.id }} />
      <ViewLink
        to={paths.calls(trace.id)}
        search={callsState.write({ ...fresh, show: 'functions', of: call.symbol, abnormal: call.id })}
      >
        All its calls
      </ViewLink>
      {hasLanes(trace) && (
        <ViewLink to={paths.timeline(trace.id)} search={timelineState.write({ ...timeline, window, area })}>
          On the timeline
        </ViewLink>
      )}
    </p>
  );
}
