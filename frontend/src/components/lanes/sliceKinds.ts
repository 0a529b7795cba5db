import type { SliceKind, TimelineAnswer, TimelineLane } from './laneAnswer';

/** The kind of a lane. One that the catalog lacks, as of a newer server, goes by its own name and has no colour. */
export function kindOf({ kind }: Pick<TimelineLane, 'kind'>, kinds: readonly SliceKind[]): SliceKind {
  const listed = kinds.find(({ name }) => name === kind);
  return listed ?? { name: kind, lane: kind, title: kind, colour: '', rows: [], begins: [], ends: [] };
}

/** Whether the slices of a lane are tasks that run. */
export function isOfTasks(lane: TimelineLane, { kinds }: Pick<TimelineAnswer, 'kinds'>): boolean {
  return kindOf(lane, kinds).colour === 'task';
}
