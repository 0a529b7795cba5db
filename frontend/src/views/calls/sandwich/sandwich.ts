import type { CallTreeAnswer } from '../../../api/calls';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { findPath, layoutTree, pathOf, type FlameLayout, type PlacedNode } from '../flameGraph';

/** A function between its callers, the nearest at the bottom of theirs, and what it calls. */
export interface Sandwich {
  readonly callers: CallTreeAnswer;
  readonly callees: CallTreeAnswer;
  /** The function's own row; those above are of callers. */
  readonly centre: number;
  readonly rows: readonly (readonly PlacedNode[])[];
  readonly total: number;
  readonly up: FlameLayout;
  readonly down: FlameLayout;
}

/** `callers` is the tree upside down, with the function as its root; `callees` the one with it at the top. */
export function layoutSandwich(callers: CallTreeAnswer, callees: CallTreeAnswer): Sandwich {
  const up = layoutTree(callers);
  const down = layoutTree(callees);
  const above = up.rows.slice(1).toReversed();
  return {
    callers,
    callees,
    centre: above.length,
    rows: [...above, ...down.rows],
    total: Math.max(up.total, down.total),
    up,
    down,
  };
}

export const isCaller = ({ centre }: Sandwich, row: number): boolean => row < centre;

/** Stands before a path that leads upwards; no symbol of the kernel has a blank. */
const UPWARDS = 'callers of: ';

/** The address of a node: from the function down, or up through its callers. */
export function sandwichPath(sandwich: Sandwich, row: number, { index }: PlacedNode): string {
  return isCaller(sandwich, row)
    ? `${UPWARDS}${pathOf(sandwich.callers, index)}`
    : pathOf(sandwich.callees, index);
}

export interface FoundNode {
  readonly row: number;
  readonly node: PlacedNode;
  readonly window: TimeWindow;
}

/** The node that a path leads to, or the last one on the way that exists. */
export function findInSandwich(sandwich: Sandwich, path: string): FoundNode | undefined {
  if (path === '') return undefined;
  const isUp = path.startsWith(UPWARDS);
  const found = findPath(isUp ? sandwich.up : sandwich.down, isUp ? path.slice(UPWARDS.length) : path);
  if (found === undefined) return undefined;
  const { depth } = found.node;
  return { ...found, row: isUp ? sandwich.centre - depth : sandwich.centre + depth };
}

/** One step towards the function. */
export function pathTowardsCentre(path: string): string {
  const shorter = path.split(';').slice(0, -1).join(';');
  return path.startsWith(UPWARDS) && !shorter.includes(';') ? '' : shorter;
}
