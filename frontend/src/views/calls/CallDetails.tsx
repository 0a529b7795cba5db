import { useQuery } from '@tanstack/react-query';
import { callQuery, type Call } from '../../api/calls';
import type { Trace } from '../../api/types';
import { CompareLink } from '../../components/compare/CompareLink';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Duration } from '../../components/Quantity';
import { ViewLink } from '../../components/ViewLink';
import { hasLanes } from '../../lib/hasLanes';
import { exactIn, exactNs, ns } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { recordedOrigin, stampText } from '../../lib/stamp';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import styles from './Calls.module.css';

interface CallDetailsProps {
  readonly trace: Trace;
  readonly id: string;
  readonly onCall: (call: Call) => void;
}

/** One call with all that the trace says about it, and who called it. */
export function CallDetails({ trace, id, onCall }: CallDetailsProps) {
  const found = useQuery(callQuery(trace.id, id));
  if (found.isError) return <ProblemNote problem={problemOf(found.error)} />;
  if (found.data === undefined) return <p className={styles.quiet}>Loading …</p>;
  const { call, callers } = found.data;
  return (
    <>
      <p className={styles.name}>{visibleText(call.symbol)}</p>
      <CallFacts call={call} originNs={recordedOrigin(trace)} />
      <Doubts call={call} isDerived={trace.time_origin === 'derived'} />
      <CallWays trace={trace} call={call} />
      {callers.length > 0 && (
        <>
          <h3 className={styles.kind}>Called by</h3>
          <ul className={styles.callers}>
            {callers.map((caller) => (
              <li key={caller.id}>
                <button type="button" className={styles.caller} onClick={() => onCall(caller)}>
                  {visibleText(caller.symbol)}
                </button>
                <Duration value={ns(caller.duration_ns)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function CallFacts({ call, originNs }: { readonly call: Call; readonly originNs: string | null }) {
  return (
    <dl className={styles.facts}>
      <dt title="Including the functions that it calls">total</dt>
      <dd>
        <Duration value={ns(call.duration_ns)} />{' '}
        <span className={styles.quiet}>{exactNs(ns(call.duration_ns))}</span>
      </dd>
      <dt title="Excluding the functions that it calls">self</dt>
      <dd>
        <Duration value={ns(call.self_ns)} />{' '}
        <span className={styles.quiet}>{exactNs(ns(call.self_ns))}</span>
      </dd>
      <dt>start</dt>
      <dd>{`${exactIn(ns(call.t), 's')}\u202fs`}</dd>
      {originNs !== null && (
        <>
          <dt title="As printed in the file">stamp</dt>
          <dd>{stampText(originNs, ns(call.t))}</dd>
        </>
      )}
      <dt>CPU</dt>
      <dd>{call.cpu}</dd>
      <dt>task</dt>
      <dd>{visibleText(taskLabel(call.comm, call.pid))}</dd>
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
