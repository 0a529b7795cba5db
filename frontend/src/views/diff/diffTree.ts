import type { DiffAnswer, DiffColumns, DiffRows, Sides } from '../../api/diff';

export type Status = 'matched' | 'added' | 'removed' | 'elided';

/** A row on one side: where it began, counted from the start of its root, and how long it took. */
export interface RowSide {
  readonly start: number;
  readonly ns: number;
  /** Instances that were folded into the row. */
  readonly count: number;
}

/** A row in the instances of one side. */
export interface RowSpread {
  /** In how many instances it is. */
  readonly seen: number;
  readonly of: number;
  /** Over those that have it; absent where none has. */
  readonly median: { readonly ns: number; readonly madNs: number } | undefined;
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
  readonly sides: Sides<RowSide | undefined>;
  readonly deltaNs: number;
  readonly selfDeltaNs: number;
  /** The largest self delta in or under the row, without its sign. */
  readonly largestNs: number;
  readonly isAmbiguous: boolean;
  /** Absent where neither side is several instances. */
  readonly spreads: Sides<RowSpread> | undefined;
}

/** The merged tree: rows in order, callers before what they call. */
export interface DiffTree {
  readonly rows: readonly DiffRow[];
  readonly byId: ReadonlyMap<number, DiffRow>;
  readonly childrenOf: ReadonlyMap<number | undefined, readonly DiffRow[]>;
}

export function treeOf(columns: DiffRows): DiffTree {
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

function rowAt(columns: DiffRows, id: number, index: number, before: ReadonlyMap<number, DiffRow>): DiffRow {
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
    sides: { abnormal: sideOf(columns.abnormal, index), normal: sideOf(columns.normal, index) },
    deltaNs: columns.delta_ns[index] ?? 0,
    selfDeltaNs: columns.self_delta_ns[index] ?? 0,
    largestNs: columns.largest_ns[index] ?? 0,
    isAmbiguous: columns.is_ambiguous[index] ?? false,
    spreads: spreadsOf(columns, index),
  };
}

function sideOf({ start_ns, duration_ns, count }: DiffColumns, index: number): RowSide | undefined {
  const [start, ns] = [start_ns[index], duration_ns[index]];
  return typeof start === 'number' && typeof ns === 'number'
    ? { start, ns, count: count[index] ?? 1 }
    : undefined;
}

function spreadsOf({ abnormal, normal }: DiffRows, index: number): Sides<RowSpread> | undefined {
  const spreads = { abnormal: spreadOf(abnormal, index), normal: spreadOf(normal, index) };
  return spreads.abnormal && spreads.normal && { abnormal: spreads.abnormal, normal: spreads.normal };
}

function spreadOf(columns: DiffColumns, index: number): RowSpread | undefined {
  const [seen, of] = [columns.seen?.[index], columns.of?.[index]];
  if (seen === undefined || of === undefined) return undefined;
  const ns = columns.median_ns?.[index];
  const median = typeof ns === 'number' ? { ns, madNs: columns.mad_ns?.[index] ?? 0 } : undefined;
  return { seen, of, median };
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

/** How many contributions of each list are unfolded when the page opens. */
const UNFOLDED = 3;

/** The rows that are open at first: the way to the largest contributions. */
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
