import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { kindsQuery } from '../../api/latencies';
import type { LatencyCase } from '../../api/latencyTypes';
import { Button } from '../../components/button/Button';
import { useNotice } from '../../components/notices/notices';
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
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import styles from './CaseFacts.module.css';
import { timelineAround } from './caseMarks';

interface CaseFactsProps {
  readonly latencyCase: LatencyCase;
  readonly originNs: string | null;
}

/** How long, where, whose and when: what a mail about the case would say. */
export function CaseFacts({ traceId, latencyCase, originNs }: CaseFactsProps & { readonly traceId: string }) {
  const { cpu, start_cpu, pid, comm, key, reported_ns } = latencyCase;
  const measure = measureOfCase(latencyCase);
  const prio = priorityOf(ownPriority(latencyCase));
  const around = timelineState.read(timelineAround(latencyCase)).state;
  const kinds = useQuery(kindsQuery(traceId));
  const keyName = kinds.data?.find(({ kind }) => kind === latencyCase.kind)?.key_name;
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
          {measure.isTime && <span className={styles.quiet}>{measure.exact(latencyCase.duration_ns)}</span>}
          <Button
            look="bare"
            label={measure.isTime ? 'Copy nanoseconds' : 'Copy the number'}
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
              <TaskLink traceId={traceId} comm={comm} pid={pid} state={around} />
            </span>
            {prio && (
              <span className={styles.quiet} title={prio.kernel}>
                {` ${prio.text}`}
              </span>
            )}
          </Fact>
        )}
        {key === null ? null : (
          <Fact name={keyName ?? 'of'}>
            <span className={styles.task}>{visibleText(key)}</span>
          </Fact>
        )}
        <Fact name={measure.isTime ? 'from' : 'at'}>
          {instantText(measure.isTime ? latencyCase.t : latencyCase.end, originNs)}
        </Fact>
      </dl>
    </section>
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
          {isTime && <Fact name="from">{instantText(latencyCase.t, originNs)}</Fact>}
          {isTime && <Fact name="to">{instantText(latencyCase.end, originNs)}</Fact>}
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
