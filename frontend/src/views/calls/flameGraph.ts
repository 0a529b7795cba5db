import type { CallTreeAnswer, CallTreeNode } from '../../api/calls';
import {
  buildScene,
  IndexedTexts,
  mostRowPx,
  rowHeight,
  type LaneRow,
  type LaneScene,
} from '../../components/chart/laneScene';
import { isFoundBy, searchLook } from '../../components/flame/flameChart';
import { symbolColour, type ThemeName } from '../../lib/colour';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { visibleText } from '../../lib/visibleText';

/** A node of the merged tree with its place: `x` counts nanoseconds of total from the left edge. */
export interface PlacedNode {
  /** Index in the answer's nodes. */
  readonly index: number;
  readonly node: CallTreeNode;
  readonly symbol: string;
  readonly depth: number;
  readonly x: number;
}

export interface FlameLayout {
  /** By depth, then from left to right. */
  readonly rows: readonly (readonly PlacedNode[])[];
  readonly total: number;
}

/** Every node under its parent, siblings from the largest to the smallest, as wide as its total. */
export function layoutTree({ nodes, symbols }: CallTreeAnswer): FlameLayout {
  const children = new Map<number | null, number[]>();
  nodes.forEach(({ parent }, index) => {
    const siblings = children.get(parent);
    if (siblings) siblings.push(index);
    else children.set(parent, [index]);
  });
  const rows: PlacedNode[][] = [];
  // A list instead of recursion: a tree may be as deep as the recorder allowed.
  const waiting: { index: number; depth: number; x: number }[] = [];
  const place = (parent: number | null, depth: number, from: number): number => {
    let x = from;
    const siblings = (children.get(parent) ?? []).toSorted(
      (a, b) => totalOf(nodes, b) - totalOf(nodes, a) || a - b,
    );
    for (const index of siblings) {
      waiting.push({ index, depth, x });
      x += totalOf(nodes, index);
    }
    return x;
  };
  const total = place(null, 0, 0);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const node = nodes[next.index];
    if (node === undefined) continue;
    const symbol = symbols[node.symbol_idx ?? -1] ?? '?';
    (rows[next.depth] ??= []).push({ ...next, node, symbol });
    place(next.index, next.depth + 1, next.x);
  }
  for (const row of rows) row.sort((a, b) => a.x - b.x);
  return { rows, total: Math.max(1, total) };
}

const totalOf = (nodes: readonly CallTreeNode[], index: number) => nodes[index]?.total_ns ?? 0;

/** The scene of a layout; where something is searched, all that does not match steps back to `muted`. */
export function flameGraphScene(
  layout: Pick<FlameLayout, 'rows'>,
  q: string,
  theme: ThemeName,
  muted: string,
  room = 0,
  /** Names of blocks of rows, by the first row of each. */
  groups: ReadonlyMap<number, string> = NO_GROUPS,
): LaneScene {
  const fills = new IndexedTexts();
  const texts = new IndexedTexts();
  const rows = layout.rows.map((placed, depth): LaneRow => ({
    id: `depth ${depth}`,
    label: '',
    ...groupOf(groups.get(depth)),
    height: rowHeight(room - GROUP_GAP_PX * groups.size, layout.rows.length, mostRowPx(room)),
    items: {
      start: placed.map(({ x }) => x),
      duration: placed.map(({ node }) => node.total_ns),
      fill: placed.map(({ symbol }) =>
        fills.indexOf(isFoundBy(q, symbol) ? symbolColour(symbol, theme) : muted),
      ),
      look: placed.map(({ symbol }) => searchLook(symbol, q)),
      text: placed.map(({ symbol }) => texts.indexOf(visibleText(symbol))),
    },
  }));
  return buildScene({ rows, fills: fills.all, texts: texts.all, groupGap: GROUP_GAP_PX });
}

const groupOf = (group: string | undefined) => (group === undefined ? {} : { group });

const GROUP_GAP_PX = 4;
const NO_GROUPS: ReadonlyMap<number, string> = new Map();

export interface MatchedShare {
  readonly functions: number;
  readonly total_ns: number;
}

/** How much of the whole lies in or under functions whose name contains `q`; nested matches count once. */
export function matchedShare({ nodes, symbols }: CallTreeAnswer, q: string): MatchedShare {
  if (q === '') return { functions: 0, total_ns: 0 };
  const matched = new Set<string>();
  const covered: boolean[] = [];
  let total = 0;
  nodes.forEach((node, index) => {
    const symbol = symbols[node.symbol_idx ?? -1] ?? '';
    const isCovered = node.parent !== null && covered[node.parent] === true;
    const matches = isFoundBy(q, symbol);
    if (matches) matched.add(symbol);
    if (matches && !isCovered) total += node.total_ns;
    covered[index] = isCovered || matches;
  });
  return { functions: matched.size, total_ns: total };
}

/** The names from the root down to a node, `;` between them, as folded stacks are written. */
export function pathOf({ nodes, symbols }: CallTreeAnswer, index: number): string {
  const names: string[] = [];
  for (let at: number | null = index; at !== null; at = nodes[at]?.parent ?? null) {
    names.unshift(symbols[nodes[at]?.symbol_idx ?? -1] ?? '?');
  }
  return names.join(';');
}

/** The stretch and depth of the node that `path` leads to, or of the deepest one on the way that exists. */
export function findPath(
  layout: FlameLayout,
  path: string,
): { window: TimeWindow; node: PlacedNode } | undefined {
  let found: PlacedNode | undefined;
  for (const [depth, name] of path.split(';').entries()) {
    const next = layout.rows[depth]?.find(
      (placed) =>
        placed.symbol === name && (found === undefined ? depth === 0 : placed.node.parent === found.index),
    );
    if (next === undefined) break;
    found = next;
  }
  if (found === undefined) return undefined;
  return { node: found, window: { start: found.x, end: found.x + Math.max(1, found.node.total_ns) } };
}

/** Stands for callees that were too small to be answered one by one. */
const SMALL_ONES = '[small_ones]';

/**
 * The merged calls as folded stacks, `outer;inner 1200`, one line per stack with the nanoseconds spent in it itself:
 * what flame graph tools read. All lines together are the total.
 */
export function foldedStacks({ nodes, symbols }: CallTreeAnswer): string {
  const paths: string[] = [];
  const rest = nodes.map((node) => node.total_ns - node.self_ns);
  nodes.forEach(({ parent, symbol_idx, total_ns }, index) => {
    const name = frameName(symbols[symbol_idx ?? -1] ?? '?');
    paths[index] = parent === null ? name : `${paths[parent]};${name}`;
    if (parent !== null) rest[parent] = (rest[parent] ?? 0) - total_ns;
  });
  return nodes
    .flatMap(({ self_ns }, index) => [
      line(paths[index] ?? '', self_ns),
      line(`${paths[index]};${SMALL_ONES}`, rest[index] ?? 0),
    ])
    .join('');
}

const line = (path: string, ns: number) => (ns > 0 ? `${path} ${ns}\n` : '');

/** In this format a semicolon ends a frame and a blank the stack; names from a file may hold both. */
const frameName = (symbol: string) => visibleText(symbol).replaceAll(';', ':').replaceAll(/\s/g, '_');
