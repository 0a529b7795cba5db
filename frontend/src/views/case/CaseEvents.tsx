import { useEffect, useRef } from 'react';
import type { CaseEvent, LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Panel } from '../../components/panel/Panel';
import { Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import { ViewLink } from '../../components/ViewLink';
import { argsText, flagsText } from '../../lib/eventText';
import { exactIn, groupDigits, ns } from '../../lib/ns';
import { recordedOrigin, stampText } from '../../lib/stamp';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { caseState } from '../../viewState/case';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import { useViewState } from '../../viewState/useViewState';
import { timelineAround } from './around';
import styles from './CaseEvents.module.css';

interface CaseEventsProps {
  readonly trace: Trace;
  readonly found: LatencyCase;
}

const HEADINGS = ['since start, µs', 'stamp', 'CPU', 'task', 'flags', 'event', 'arguments'] as const;

/** The events in and around the case in order of time; those that the case is made of are marked. */
export function CaseEvents({ trace, found }: CaseEventsProps) {
  const [state, setState] = useViewState(caseState);
  const relevant = found.events.filter((event) => event.is_relevant || event.is_key);
  const rows = state.events === 'relevant' ? relevant : found.events;
  return (
    <Panel
      title="Events"
      note={`${groupDigits(rows.length)} around it${found.events_truncated ? ', the nearest ones' : ''}`}
      actions={
        <SwitchGroup name="show">
          <Switch isOn={state.events === 'all'} onClick={() => setState({ events: 'all' })}>
            all
          </Switch>
          <Switch isOn={state.events === 'relevant'} onClick={() => setState({ events: 'relevant' })}>
            {`only the case's own (${groupDigits(relevant.length)})`}
          </Switch>
        </SwitchGroup>
      }
    >
      {rows.length === 0 ? (
        <p className={styles.note}>
          {found.events.length === 0
            ? 'No events were recorded around it.'
            : 'None of the events around it belongs to the case alone.'}
        </p>
      ) : (
        <EventTable key={state.events} trace={trace} found={found} rows={rows} />
      )}
    </Panel>
  );
}

function EventTable({ rows, ...props }: CaseEventsProps & { readonly rows: readonly CaseEvent[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The case's first event in sight, with a little of what came before; the page itself stays where it is.
    const box = scroller.current;
    const first = box?.querySelector<HTMLElement>('[data-inside]');
    if (box && first) box.scrollTop = Math.max(0, first.offsetTop - 5 * first.offsetHeight);
  }, []);
  return (
    <div
      className={styles.scroller}
      ref={scroller}
      tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keys
      role="group"
      aria-label="Events, to scroll"
    >
      <table className={styles.table} aria-label="Events around the case">
        <thead>
          <tr>
            {HEADINGS.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((event) => (
            <EventRow key={event.seq} {...props} event={event} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRow({ trace, found, event }: CaseEventsProps & { readonly event: CaseEvent }) {
  const origin = recordedOrigin(trace);
  const since = ns(event.t - found.t);
  const isInside = event.t >= found.t && event.t <= found.end;
  const flags = flagsText(event.flags);
  return (
    <tr
      data-relevant={event.is_relevant || event.is_key || undefined}
      data-key={event.is_key || undefined}
      data-inside={isInside || undefined}
    >
      <td>
        <ViewLink
          to={paths.timeline(trace.id)}
          search={timelineAt(found, event)}
          title="Show this event in the timeline"
        >
          {`${since < 0 ? '' : '+'}${exactIn(since, 'µs')}`}
        </ViewLink>
      </td>
      <td className={styles.quiet}>{origin === null ? '' : stampText(origin, ns(event.t))}</td>
      <td>{event.cpu}</td>
      <td>{visibleText(taskLabel(event.comm, event.pid))}</td>
      <td className={styles.quiet} title={flags.long}>
        {flags.short}
      </td>
      <td>{visibleText(event.event)}</td>
      <td title={visibleText(argsText(event))}>{visibleText(argsText(event))}</td>
    </tr>
  );
}

function timelineAt(found: LatencyCase, event: CaseEvent) {
  const { state } = timelineState.read(timelineAround(found));
  return timelineState.write({ ...state, area: undefined, event: { cpu: event.cpu, t: ns(event.t) } });
}
