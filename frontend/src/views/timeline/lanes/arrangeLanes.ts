import type { LanePlan } from '../../../components/lanes/laneModel';
import type { LaneMove, TimelineState } from '../../../viewState/timeline';

/** How somebody has arranged the lanes. */
export type Arrangement = Pick<TimelineState, 'pin' | 'order' | 'without'>;

/** A lane with the rows nested in it, which go where it goes. */
type Block = readonly [LanePlan, ...LanePlan[]];

/** The rows in the chosen order: pinned lanes first, then the rest as they were moved, without those left out. */
export function arrangeLanes(
  plans: readonly LanePlan[],
  { pin, order, without }: Arrangement,
): readonly LanePlan[] {
  if (pin.length === 0 && order.length === 0 && without.length === 0) return plans;
  const names = groupNames(plans);
  const shown = blocksOf(plans).filter(([{ id }]) => !without.includes(id));
  const moved = order.reduce(moveBlock, shown);
  const pinned = pin.flatMap((id) => moved.filter(([lane]) => lane.id === id));
  const rest = moved.filter(([{ id }]) => !pin.includes(id));
  return [...pinned, ...rest].flat().map((plan, index, rows) => {
    const isFirst = index === 0 || ownerOf(rows[index - 1]) !== ownerOf(plan);
    const { group, ...unnamed } = plan;
    return isFirst ? { ...unnamed, group: group ?? names.get(ownerOf(plan)) ?? '' } : unnamed;
  });
}

/** The ids of the lanes that can be moved, from top to bottom. */
export function laneIds(rows: readonly LanePlan[]): readonly string[] {
  return blocksOf(rows).map(([{ id }]) => id);
}

/** What is pinned and moved after a lane was put above another one, or at the end. */
export function placeLane(
  arrangement: Arrangement,
  { id, above }: LaneMove,
): Pick<Arrangement, 'pin' | 'order'> {
  const { pin, order } = arrangement;
  const others = pin.filter((pinned) => pinned !== id);
  const at = above === undefined ? -1 : others.indexOf(above);
  // Among pinned lanes it is one of them, and below them none.
  if (at >= 0) return { pin: [...others.slice(0, at), id, ...others.slice(at)], order };
  return { pin: others, order: [...order.filter((move) => move.id !== id), { id, above }] };
}

function blocksOf(plans: readonly LanePlan[]): readonly Block[] {
  const blocks: [LanePlan, ...LanePlan[]][] = [];
  for (const plan of plans) {
    const last = blocks.at(-1);
    if (plan.isNested && last !== undefined && ownerOf(last[0]) === ownerOf(plan)) last.push(plan);
    else blocks.push([plan]);
  }
  return blocks;
}

function moveBlock(blocks: readonly Block[], { id, above }: LaneMove): readonly Block[] {
  const moved = blocks.filter(([lane]) => lane.id === id);
  const rest = blocks.filter(([lane]) => lane.id !== id);
  const at = rest.findIndex(([lane]) => lane.id === above);
  // Where the other one is not there, as on a link to another window, it stays where it is.
  if (above !== undefined && at < 0) return blocks;
  return above === undefined ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
}

type Owned = Pick<LanePlan, 'cpu' | 'pid'>;

const ownerOf = (plan: Owned | undefined) => `${plan?.cpu ?? ''}/${plan?.pid ?? ''}`;

function groupNames(plans: readonly LanePlan[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const plan of plans) {
    if (plan.group !== undefined && !names.has(ownerOf(plan))) names.set(ownerOf(plan), plan.group);
  }
  return names;
}
