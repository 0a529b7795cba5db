import type { TraceEvent } from '../../../api/events';
import { visibleText } from '../../../lib/visibleText';
import styles from '../Details.module.css';

interface EventLinkProps {
  readonly event: TraceEvent | undefined;
  readonly onEvent: (event: TraceEvent) => void;
}

/** The name of an event, which leads to it in the list; nothing where it was not recorded. */
export function EventLink({ event, onEvent }: EventLinkProps) {
  if (event === undefined) return null;
  return (
    <button
      type="button"
      className={styles.event}
      title="Show it in the list of events"
      onClick={() => onEvent(event)}
    >
      {visibleText(event.event)}
    </button>
  );
}
