import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { kindsQuery } from '../../api/latencies';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { useNotice } from '../../components/notices/notices';
import { Exact } from '../../components/Exact';
import { HelpLink, KindLink } from '../../components/HelpLink';
import { Fold } from '../../components/panel/Fold';
import { Duration, Measured } from '../../components/Quantity';
import { TaskLink } from '../../components/TaskLink';
import { useFlags } from '../../components/term/meanings';
import { Term } from '../../components/term/Term';
import { ViewLink } from '../../components/ViewLink';
import { measureOfCase } from '../../lib/measure';
import { groupDigits, ns } from '../../lib/ns';
import { priorityOf } from '../../lib/priority';
import { instantText } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import styles from './CaseFacts.module.css';
import { timelineAround } from './caseMarks';
import { overTime } from './overTime';

interface CaseFactsProps {
  readonly latencyCase: LatencyCase;
  readonly originNs: string | null;
}

/** How long, where, whose and when: what a mail about the case would say. */
export function CaseFacts({ trace, latencyCase, originNs }: CaseFactsProps & { readonly trace: Trace }) {
  const { cpu, start_cpu, pid, comm, key, reported_ns } = latencyCase;
  const clock = useClock();
  const measure = measureOfCase(latencyCase, clock);
  const prio = priorityOf(ownPriority(latencyCase));
  const around = timelineState.read(timelineAround(latencyCase)).state;
  const kinds = useQuery(kindsQuery(trace.id));
  const keyName = kinds.data?.find(({ kind }) => kind === latencyCase.kind)?.key_name;
  const way = overTime(trace, latencyCase);
  const instant = instantText(measure.isTime ? latencyCase.t : latencyCase.end, originNs, clock);
  const say = useNotice();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(latencyCase.duration_ns.toString());
      say(`Copied ${groupDigits(latencyCase.duration_ns)}.`);
    } catch {
      say('The browser does not allow copying here. Select the number and copy it.');
    }
  };
  return (
    <section className={styles.facts} aria-label="Facts">
      <dl>
        <Fact name={measure.name}>
          <strong>
            <Measured value={latencyCase.duration_ns} measure={measure} />
          </strong>{' '}
          {measure.isTime && <Exact value={latencyCase.duration_ns} />}
          <Button
            look="bare"
            label={measure.isTime && !clock.isCounting ? 'Copy nanoseconds' : 'Copy the number'}
            onClick={() => void copy()}
          >
            copy
          </Button>
        </Fact>
        {reported_ns !== null && reported_ns !== latencyCase.duration_ns ? (
          <Fact name="reported">
            <Duration value={ns(reported_ns)} />
          </Fact>
        ) : null}
        <Fact name="CPU">
          {start_cpu === null || start_cpu === cpu ? cpu : `${cpu}, started on ${start_cpu}`}
        </Fact>
        {pid === null ? null : (
          <Fact name="task">
            <span className={styles.task}>
              <TaskLink traceId={trace.id} comm={comm} pid={pid} state={around} />
            </span>
            {prio && (
              <span className={styles.quiet} title={prio.kernel}>
                {` ${prio.text}`}
              </span>
            )}
          </Fact>
        )}
        <Fact name={measure.isTime ? 'from' : 'at'}>
          {way === undefined ? (
            instant
          ) : (
            <ViewLink to={way.to} search={way.search} title={way.does}>
              {instant}
            </ViewLink>
          )}
        </Fact>
        {key === null ? null : (
          // Last, because what it is called comes later.
          <Fact name={keyName ?? 'of'}>
            <span className={styles.task}>
              <Key trace={trace} latencyCase={latencyCase} text={visibleText(key)} />
            </span>
          </Fact>
        )}
      </dl>
    </section>
  );
}

interface KeyProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
  readonly text: string;
}

/** What the case is about; a function leads to all its calls. */
function Key({ trace, latencyCase: { call, key }, text }: KeyProps) {
  if (call === null || key === null) return text;
  const search = callsState.write({
    ...callsState.read({}).state,
    show: 'functions',
    of: key,
    abnormal: call,
  });
  return (
    <ViewLink to={paths.calls(trace.id)} search={search} title={`All calls of ${text}`}>
      {text}
    </ViewLink>
  );
}

/** The priority that the task of the case ran with, if the case says it. */
function ownPriority({ blame, why = [], pid }: LatencyCase): number | null {
  const own = blame.find(({ cause, prio }) => cause === 'itself' && prio !== null);
  return own?.prio ?? why.find(({ subject }) => subject?.pid === pid)?.subject?.prio ?? null;
}

/** What the number means, and what else is known of the case. */
export function CaseMore({ latencyCase, originNs }: CaseFactsProps) {
  const { flags, detail, kind, definition } = latencyCase;
  const unsaid = flags.filter((flag) => !detail.includes(flag));
  const { isTime } = measureOfCase(latencyCase);
  const clock = useClock();
  return (
    <Fold title="What was measured" note={<code>{visibleText(kind)}</code>}>
      <div className={styles.facts}>
        <p>
          {isTime ? visibleText(definition) : 'The value of an event field.'}{' '}
          <KindLink kind={kind}>How it is measured</KindLink> ·{' '}
          <HelpLink page="latencies" section="stages" title="What the stages of each kind are">
            Its stages
          </HelpLink>
        </p>
        <dl>
          {isTime && <Fact name="from">{instantText(latencyCase.t, originNs, clock)}</Fact>}
          {isTime && <Fact name="to">{instantText(latencyCase.end, originNs, clock)}</Fact>}
          {isTime && detail !== '' && <Fact name="detail">{visibleText(detail)}</Fact>}
          {unsaid.length === 0 ? null : (
            <Fact name="marks">
              <Marks flags={unsaid} />
            </Fact>
          )}
        </dl>
      </div>
    </Fold>
  );
}

/** What is special about the case, each mark with its meaning. */
function Marks({ flags }: { readonly flags: readonly string[] }) {
  const meanings = useFlags();
  return flags.map((flag, at) => (
    <span key={flag}>
      {at > 0 ? ', ' : ''}
      <Term title={flag} meaning={meanings.get(flag) ?? ''}>
        <ViewLink to={paths.help('latencies')} hash="flags">
          {visibleText(flag)}
        </ViewLink>
      </Term>
    </span>
  ));
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
