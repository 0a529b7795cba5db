import { useState } from 'react';
import { findEvent, type TraceEvent } from '../../api/events';
import { problemOf } from '../../lib/problem';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { SqlLink } from '../../components/SqlLink';
import { useNotice } from '../../components/notices/notices';
import { eventsSql } from '../../lib/asSql';
import { recordedOrigin } from '../../lib/stamp';
import type { EventId } from '../../viewState/itemIds';
import styles from './EventPane.module.css';
import { EventTable } from './EventTable';
import type { SliceEnds } from './slice/useSlice';

interface EventPaneProps {
  readonly trace: Trace;
  readonly window: TimeWindow;
  readonly cpu: readonly number[];
  readonly q: string;
  readonly selected: EventId | undefined;
  readonly ends: SliceEnds;
  readonly from: number | undefined;
  readonly onSelect: (event: TraceEvent) => void;
  readonly onHover: (t: number | undefined) => void;
  readonly onClose: () => void;
}

/** The event table with its head: what it is filtered by, and the way to the next match anywhere in the trace. */
export function EventPane({ trace, onClose, ...table }: EventPaneProps) {
  const { window, cpu, q, selected, onSelect } = table;
  const say = useNotice();
  const [isSearching, setSearching] = useState(false);
  const find = async (direction: 'later' | 'earlier') => {
    const at = selected?.t ?? (window.start + window.end) / 2;
    const from = direction === 'later' ? Math.floor(at) + 1 : Math.ceil(at);
    setSearching(true);
    try {
      const event = await findEvent(trace.id, { cpu, q }, from, direction);
      if (event) onSelect(event);
      else say(direction === 'later' ? 'No later event matches.' : 'No earlier event matches.');
    } catch (error) {
      say(problemOf(error).detail ?? problemOf(error).title);
    } finally {
      setSearching(false);
    }
  };
  return (
    <section className={styles.pane} aria-label="Events">
      <header className={styles.head}>
        <h2>Events</h2>
        <span className={styles.filter}>
          {q === '' ? (
            <>
              press <kbd>/</kbd> to filter, e.g. <code>event:sched_switch next_pid=1213</code>
            </>
          ) : (
            <code>{q}</code>
          )}
        </span>
        <Button
          look="bare"
          label="Previous match in the whole trace"
          disabled={isSearching}
          onClick={() => void find('earlier')}
        >
          ‹ Previous
        </Button>
        <Button
          look="bare"
          label="Next match in the whole trace"
          disabled={isSearching}
          onClick={() => void find('later')}
        >
          Next ›
        </Button>
        {q === '' ? <SqlLink traceId={trace.id} sql={eventsSql(window, cpu)} what="the events" /> : null}
        <Button look="bare" label="Close events (E)" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div className={styles.table}>
        <EventTable
          traceId={trace.id}
          originNs={recordedOrigin(trace)}
          hasBuffers={trace.buffers.filter(({ event_count }) => event_count > 0).length > 1}
          {...table}
        />
      </div>
    </section>
  );
}
