import { taskLabel } from '../lib/taskKind';
import { visibleText } from '../lib/visibleText';
import { paths } from '../viewState/paths';
import { timelineState, type TimelineState } from '../viewState/timeline';
import { ViewLink } from './ViewLink';

interface TaskLinkProps {
  readonly traceId: string;
  readonly comm: string | null;
  readonly pid: number;
  /** What else the timeline shows, such as the stretch around a case. */
  readonly state?: Partial<TimelineState>;
  /** In lists, where every row has one. */
  readonly className?: string | undefined;
  readonly tabIndex?: 0 | -1;
}

/** The name of a task, which leads to its lane on the timeline. */
export function TaskLink({ traceId, comm, pid, state, className, tabIndex }: TaskLinkProps) {
  const name = visibleText(taskLabel(comm, pid));
  // The idle tasks of all CPUs share this pid, and none has a lane.
  if (pid === 0) return <span title={name}>{name}</span>;
  const search = timelineState.write({ ...timelineState.read({}).state, ...state, tasks: [pid] });
  return (
    <ViewLink
      to={paths.timeline(traceId)}
      search={search}
      title={`${name} on the timeline`}
      className={className}
      {...(tabIndex !== undefined && { tabIndex })}
    >
      {name}
    </ViewLink>
  );
}
