import type { DiffAnswer } from '../../api/diff';
import type { DiffState } from '../../viewState/diff';
import { ancestorsOf, type DiffTree } from './diffTree';

type Contributions = DiffAnswer['contributions'];

/** How many of the largest contributions have their calls joined from side to side. */
const JOINED = 3;

/** The rows that are always joined: those of the largest contributions, or what is around them on both sides. */
export function joinedRows(tree: DiffTree, { only_one_side, slower }: Contributions): readonly number[] {
  const largest = [...only_one_side, ...slower]
    .toSorted((one, other) => Math.abs(other.delta_ns) - Math.abs(one.delta_ns))
    .slice(0, JOINED);
  const rows = largest.flatMap(({ row }) => {
    const own = tree.byId.get(row);
    const onBothSides = [...(own ? [own] : []), ...ancestorsOf(tree, row)].find(
      ({ sides }) => sides.abnormal && sides.normal,
    );
    // A band between the roots would cover everything and say nothing.
    return onBothSides?.parent === undefined ? [] : onBothSides.id;
  });
  return [...new Set(rows)];
}

/** The rows of the largest contribution: its row, and those beside it that it names, too. */
export function causeRows(tree: DiffTree, { only_one_side, slower }: Contributions): ReadonlySet<number> {
  const [largest] = [...only_one_side, ...slower].toSorted(
    (one, other) => Math.abs(other.delta_ns) - Math.abs(one.delta_ns),
  );
  const own = largest && tree.byId.get(largest.row);
  if (largest === undefined || own === undefined) return new Set();
  const beside = (tree.childrenOf.get(own.parent) ?? []).filter(
    ({ name, status }) => status === own.status && largest.names.includes(name),
  );
  return new Set([own.id, ...beside.map(({ id }) => id)]);
}

/** The contribution before or after the chosen one, in the order of the lists; the first one where none is chosen. */
export function nextContribution(
  { contributions: { only_one_side, slower } }: Pick<DiffAnswer, 'contributions'>,
  chosen: number | undefined,
  step: 1 | -1,
): number | undefined {
  const rows = [...only_one_side, ...slower].map(({ row }) => row);
  const at = chosen === undefined ? -1 : rows.indexOf(chosen);
  return rows[Math.max(0, Math.min(rows.length - 1, at + step))];
}

/** The state with the sides changed over; against a whole set there is no single other side. */
export function swapped(
  { abnormal, normal }: DiffState,
  answer: Pick<DiffAnswer, 'normal'>,
): Partial<DiffState> | undefined {
  const picked = typeof normal === 'string' ? normal : normal.id;
  const other = picked === 'auto' || typeof normal === 'string' ? answer.normal : normal;
  if (abnormal === undefined || picked === 'all') return undefined;
  const { trace, id } = other;
  return { abnormal: { trace, id }, normal: abnormal, row: undefined, toggled: [], window: undefined };
}
