import type { Trace } from '../../api/types';
import { Command } from '../../components/Command';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import styles from './Timeline.module.css';

/** What there is instead of lanes, and what to record so that there is something to see. */
export function NoLanes({ trace }: { readonly trace: Trace }) {
  return (
    <section className={styles.empty}>
      <h2>Nothing to draw on lanes</h2>
      {(trace.call_count ?? 0) > 0 && (
        <p>
          This trace holds function calls: <ViewLink to={paths.calls(trace.id)}>see them over time</ViewLink>.
        </p>
      )}
      <p>
        {(trace.event_count ?? 0) > 0
          ? 'The trace holds events, listed below, but none that begin and end something. Scheduling and interrupt events do:'
          : 'The trace holds no events that begin and end something. Scheduling and interrupt events do:'}
      </p>
      <Command text="trace-cmd record -e sched:sched_switch -e sched:sched_waking -e irq -e irq_vectors -e power:cpu_idle" />
    </section>
  );
}
