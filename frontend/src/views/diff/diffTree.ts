import type { DiffAnswer, DiffColumns } from '../../api/diffTypes';

export type Status = 'matched' | 'added' | 'removed' | 'elided';

/** One side of a row: where it began, counted from the start of its root, and how long it took. */
export interface RowSide {
  readonly start: number;
  readonly ns: number;
  /** Instances that were folded into the row. */
  readonly count: number;
}

/** In how many instances of the normal set, and of the abnormal ones, a row is there. */
export interface Seen {
  readonly seenA: number;
  readonly ofA: number;
  readonly seenB: number;
  readonly ofB: number;
}

export interface DiffRow {
  readonly id: number;
  readonly parent: number | undefined;
  readonly depth: number;
  readonly name: string;
  /** What the normal side calls it, where that differs by a suffix of the compiler. */
  readonly otherName: string | undefined;
  readonly status: Status;
  readonly kind: string;
  /** It is an interrupt that hit the root or what it called, or was called by one. */
  readonly isInInterrupt: boolean;
  readonly a: RowSide | undefined;
  readonly b: RowSide | undefined;
  readonly deltaNs: number;
  readonly selfDeltaNs: number;
  /** The largest self delta in or under the row, without its sign. */
  readonly largestNs: number;
  readonly isAmbiguous: boolean;
  readonly seen: Seen | undefined;
  /** Of the abnormal ones that have it, where they are several. */
  readonly medianA: Median | undefined;
  /** Of the normal ones that have it, where they are several. */
  readonly median: Median | undefined;
}

interface Median {
  readonly ns: number;
  readonly madNs: number;
}

/** The merged tree: rows in order, callers before what they call. */
export interface DiffTree {
  readonly rows: readonly DiffRow[];
  readonly byId: ReadonlyMap<number, DiffRow>;
  readonly childrenOf: ReadonlyMap<number | undefined, readonly DiffRow[]>;
}

export function treeOf(columns: DiffColumns): DiffTree {
  const rows: DiffRow[] = [];
  const byId = new Map<number, DiffRow>();
  const childrenOf = new Map<number | undefined, DiffRow[]>();
  for (const [index, id] of columns.id.entries()) {
    const row = rowAt(columns, id, index, byId);
    rows.push(row);
    byId.set(id, row);
    const siblings = childrenOf.get(row.parent);
    if (siblings) siblings.push(row);
    else childrenOf.set(row.parent, [row]);
  }
  return { rows, byId, childrenOf };
}

const STATUSES: readonly Status[] = ['matched', 'added', 'removed', 'elided'];

function rowAt(
  columns: DiffColumns,
  id: number,
  index: number,
  before: ReadonlyMap<number, DiffRow>,
): DiffRow {
  const status = columns.status[index];
  const kind = columns.kind[index] ?? 'call';
  const parent = columns.parent[index] ?? undefined;
  const around = before.get(parent ?? -1);
  return {
    id,
    parent,
    depth: columns.depth[index] ?? 0,
    name: columns.name[index] ?? '?',
    otherName: columns.other_name[index] ?? undefined,
    status: STATUSES.find((known) => known === status) ?? 'matched',
    kind,
    isInInterrupt: around !== undefined && (kind === 'interrupt' || around.isInInterrupt),
    a: sideOf(columns.a_start_ns[index], columns.a_ns[index], columns.count_a[index]),
    b: sideOf(columns.b_start_ns[index], columns.b_ns[index], columns.count_b[index]),
    deltaNs: columns.delta_ns[index] ?? 0,
    selfDeltaNs: columns.self_delta_ns[index] ?? 0,
    largestNs: columns.largest_ns[index] ?? 0,
    isAmbiguous: columns.is_ambiguous[index] ?? false,
    seen: seenOf(columns, index),
    medianA: medianOf(columns.median_a_ns?.[index], columns.mad_a_ns?.[index]),
    median: medianOf(columns.median_b_ns?.[index], columns.mad_b_ns?.[index]),
  };
}

type Maybe = number | null | undefined;

function sideOf(start: Maybe, ns: Maybe, count: Maybe): RowSide | undefined {
  return typeof start === 'number' && typeof ns === 'number' ? { start, ns, count: count ?? 1 } : undefined;
}

function medianOf(ns: Maybe, madNs: Maybe): Median | undefined {
  return typeof ns === 'number' ? { ns, madNs: madNs ?? 0 } : undefined;
}

function seenOf({ seen_a, of_a, seen_b, of_b }: DiffColumns, index: number): Seen | undefined {
  const [seenA, ofA, seenB, ofB] = [seen_a?.[index], of_a?.[index], seen_b?.[index], of_b?.[index]];
  if (seenA === undefined || ofA === undefined || seenB === undefined || ofB === undefined) return undefined;
  return { seenA, ofA, seenB, ofB };
}

/** The rows around one, from its parent to the root. */
export function ancestorsOf({ byId }: DiffTree, id: number): readonly DiffRow[] {
  const around: DiffRow[] = [];
  // Each step goes to an earlier row, so a damaged answer cannot lead in circles.
  for (let at = byId.get(id); at?.parent !== undefined && at.parent < at.id;) {
    at = byId.get(at.parent);
    if (at) around.push(at);
  }
  return around;
}

/** From one row down, the rows that hold most of what is below: those that open with it. */
export function chainFrom({ childrenOf }: DiffTree, row: DiffRow): readonly number[] {
  const chain = [row.id];
  let at = row;
  for (;;) {
    const [largest] = (childrenOf.get(at.id) ?? []).toSorted((a, b) => b.largestNs - a.largestNs);
    if (largest === undefined || largest.largestNs * 2 < row.largestNs) return chain;
    if (!childrenOf.has(largest.id)) return chain;
    chain.push(largest.id);
    at = largest;
  }
}

/** So many contributions of each list are unfolded when the page opens. */
const UNFOLDED = 3;

/** The rows that are open when nobody has touched the tree: the way to the largest contributions. */
export function firstOpen(
  tree: DiffTree,
  { only_one_side, slower }: DiffAnswer['contributions'],
): ReadonlySet<number> {
  const wanted = [only_one_side, slower].flatMap((list) => list.slice(0, UNFOLDED));
  return new Set(wanted.flatMap(({ row }) => ancestorsOf(tree, row)).map(({ id }) => id));
}

/** What the tree shows with these rows open. */
export function shownRows(tree: DiffTree, isOpen: (row: DiffRow) => boolean): readonly DiffRow[] {
  const shown: DiffRow[] = [];
  let closedDepth = Infinity;
  for (const row of tree.rows) {
    if (row.depth > closedDepth) continue;
    shown.push(row);
    closedDepth = tree.childrenOf.has(row.id) && isOpen(row) ? Infinity : row.depth;
  }
  return shown;
}
