import type { TraceEvent } from '../../api/events';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { SqlLink } from '../../components/SqlLink';
import { eventsSql } from '../../lib/asSql';
import { recordedOrigin } from '../../lib/stamp';
import type { EventId } from '../../viewState/itemIds';
import styles from './EventPane.module.css';
import { EventTable } from './EventTable';
import { noMatchText, useEventNames } from './hits/eventNames';
import type { Hits } from './hits/useHits';
import type { SliceEnds } from './slice/useSlice';

interface EventPaneProps {
  readonly trace: Trace;
  readonly hits: Hits;
  readonly window: TimeWindow;
  readonly cpu: readonly number[];
  readonly q: string;
  readonly selected: EventId | undefined;
  readonly ends: SliceEnds;
  readonly from: number | undefined;
  readonly onSelect: (event: TraceEvent) => void;
  readonly onHover: (t: number | undefined) => void;
  readonly onTask: (pid: number) => void;
  readonly onClose: () => void;
}

/** The event table with its head: what it is filtered by, and the way to the next match anywhere in the trace. */
export function EventPane({ trace, hits, onClose, ...table }: EventPaneProps) {
  const { window, cpu, q } = table;
  const eventNames = useEventNames(trace.id);
  return (
    <section className={styles.pane} aria-label="Events">
      <header className={styles.head}>
        <h2>Events</h2>
        <span className={styles.filter}>
          {q === '' ? (
            <span className={styles.hint}>
              press <kbd>/</kbd> to filter, e.g. <code>event:sched_switch next_pid=1213</code>
            </span>
          ) : (
            <>
              <code>{q}</code> <span data-testid="hits">{hits.text}</span>
            </>
          )}
        </span>
        <Button
          look="bare"
          label="Previous match in the whole trace (Shift N)"
          disabled={hits.isFinding || hits.hasNone}
          onClick={() => hits.find('earlier')}
        >
          <span aria-hidden>‹</span> Previous
        </Button>
        <Button
          look="bare"
          label="Next match in the whole trace (N)"
          disabled={hits.isFinding || hits.hasNone}
          onClick={() => hits.find('later')}
        >
          Next <span aria-hidden>›</span>
        </Button>
        {q === '' ? <SqlLink traceId={trace.id} sql={eventsSql(window, cpu)} what="the events" /> : null}
        <Button look="bare" label="Close events (E)" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div className={styles.table}>
        <EventTable
          traceId={trace.id}
          counts={trace}
          originNs={recordedOrigin(trace)}
          noMatch={hits.hasNone ? noMatchText(q, eventNames) : undefined}
          hasBuffers={trace.buffers.filter(({ event_count }) => event_count > 0).length > 1}
          {...table}
        />
      </div>
    </section>
  );
}
