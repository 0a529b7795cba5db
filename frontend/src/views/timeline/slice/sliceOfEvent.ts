import { isOfCpu, type CpuLane, type TimelineAnswer } from '../../../components/lanes/laneAnswer';
import { ns } from '../../../lib/ns';
import type { SliceId } from '../../../viewState/itemIds';
import { isBound, spanOfSlice, type BoundEvent, type SliceSpan } from './sliceBounds';

interface Candidate {
  readonly id: SliceId;
  readonly span: SliceSpan;
}

/**
 * The slice that an event of a CPU is about: the one that it begins, else the one that it ends, else the shortest
 * that it lies in. `answer` has single slices around the event.
 */
export function sliceOfEvent(
  answer: Pick<TimelineAnswer, 'lanes' | 'tasks' | 'kinds'>,
  event: BoundEvent,
): SliceId | undefined {
  const touching = answer.lanes
    .filter(isOfCpu)
    .filter(({ cpu, detail }) => cpu === event.cpu && detail === 'slices')
    .flatMap((lane) => candidatesIn(lane, answer, event.t));
  const began = touching.find(({ span }) => isBound(span, 'start', event));
  const ended = touching.find(({ span }) => isBound(span, 'end', event));
  const [shortest] = touching
    .filter(({ span }) => span.start <= event.t && event.t < span.end)
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return (began ?? ended ?? shortest)?.id;
}

const lengthOf = ({ span }: Candidate) => span.end - span.start;

function candidatesIn(
  lane: CpuLane,
  answer: Pick<TimelineAnswer, 'tasks' | 'kinds'>,
  t: number,
): readonly Candidate[] {
  return lane.t.flatMap((start, index) => {
    const span = spanOfSlice(lane, index, answer.tasks[lane.task_idx[index] ?? -1]?.pid, answer);
    if (t < start || t > span.end) return [];
    return [{ id: { cpu: lane.cpu, kind: lane.kind, depth: lane.depth, t: ns(start) }, span }];
  });
}
