import { useEventTypes } from '../../api/traces';
import type { EventType, Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Count } from '../../components/Quantity';
import { Unplaced } from '../../components/Unplaced';
import { ViewLink } from '../../components/ViewLink';
import { filterTerm } from '../../lib/filterTerm';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import styles from './EventTypesPanel.module.css';
import { Panel } from '../../components/panel/Panel';

/** The types of the recorded events, most frequent first; each leads to its events beside the timeline. */
export function EventTypesPanel({ trace }: { readonly trace: Trace }) {
  const types = useEventTypes(trace.id);
  const rows = types.data?.pages.flatMap((page) => page.items) ?? [];
  const largest = rows[0]?.event_count ?? 1;
  return (
    <Panel title="Events" note={<>{groupDigits(trace.event_count ?? 0)} by type</>}>
      <FailedQuery query={types} />
      {types.isPending && (
        <>
          <Loading what="the types of events" />
          <Unplaced />
        </>
      )}
      <ul className={styles.types}>
        {rows.map((type) => (
          <TypeRow
            key={`${type.kind} ${type.system} ${type.name}`}
            traceId={trace.id}
            type={type}
            largest={largest}
          />
        ))}
      </ul>
      {types.hasNextPage && (
        <p className={styles.foot}>
          <Button disabled={types.isFetchingNextPage} onClick={() => void types.fetchNextPage()}>
            Show more types
          </Button>
        </p>
      )}
    </Panel>
  );
}

interface TypeRowProps {
  readonly traceId: string;
  readonly type: EventType;
  readonly largest: number;
}

function TypeRow({ traceId, type, largest }: TypeRowProps) {
  const { state } = timelineState.read({});
  const search = timelineState.write({ ...state, q: filterTerm('event', type.name), events: 'shown' });
  return (
    <li className={styles.type}>
      <ViewLink
        to={paths.timeline(traceId)}
        search={search}
        title={`Show these events: ${KIND[type.kind] ?? type.kind}`}
      >
        {type.system !== null && <span className={styles.system}>{visibleText(type.system)}:</span>}
        {visibleText(type.name)}
      </ViewLink>
      <Count value={type.event_count} />
      <span aria-hidden className={styles.share}>
        <span style={{ width: `${100 * logShare(type.event_count, largest)}%` }} />
      </span>
    </li>
  );
}

/** One is seen beside a million: every factor of ten is as long as the others. */
const logShare = (count: number, largest: number) => Math.log10(1 + count) / Math.log10(1 + largest);

const KIND: Readonly<Record<string, string>> = {
  print: 'text written to trace_marker',
  bprint: 'text of trace_printk',
  function: 'lines of the function tracer',
  tracer: "the tracer's own lines",
  unknown: 'records of a type that the file does not describe',
};
