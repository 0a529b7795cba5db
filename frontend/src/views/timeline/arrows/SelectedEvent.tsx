import { useQuery } from '@tanstack/react-query';
import { instantQuery } from '../../../api/events';
import { ns } from '../../../lib/ns';
import { useClock } from '../../../components/clock/useClock';
import { visibleText } from '../../../lib/visibleText';
import type { EventId } from '../../../viewState/itemIds';
import styles from '../Details.module.css';
import { TaskButton } from '../slice/TaskButton';

interface SelectedEventProps {
  readonly traceId: string;
  readonly originNs: string | null;
  readonly id: EventId;
  readonly onTask: (pid: number) => void;
}

/** The events of one CPU at one instant: an arrow begins or ends at one of them. */
export function SelectedEvent({ traceId, originNs, id, onTask }: SelectedEventProps) {
  const clock = useClock();
  const events = useQuery(instantQuery(traceId, id.t)).data;
  const there = events?.filter(({ cpu }) => cpu === id.cpu) ?? [];
  return (
    <>
      <h3 className={styles.kind}>Event</h3>
      <dl className={styles.facts}>
        <dt>time</dt>
        <dd>{clock.instant(id.t)}</dd>
        {originNs !== null && (
          <>
            <dt title="As printed in the file">stamp</dt>
            <dd>{clock.stamp(originNs, ns(id.t))}</dd>
          </>
        )}
        <dt>CPU</dt>
        <dd>{id.cpu}</dd>
        {there[0] && (
          <>
            <dt title="Task that was running">in</dt>
            <dd>
              <TaskButton task={there[0]} onTask={onTask} />
            </dd>
          </>
        )}
      </dl>
      {there.map(({ seq, event, raw }) => (
        <p key={seq} className={styles.code}>
          <b>{visibleText(event)}</b> {visibleText(raw)}
        </p>
      ))}
    </>
  );
}
