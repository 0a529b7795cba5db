import type { CallTreeAnswer, CallTreeNode } from '../../../api/calls';
import { isFoundBy } from '../../../components/flame/flameChart';
import { pathOf } from '../flameGraph';

/** A function in the merged calls that a search finds, and the way to it. */
export interface GraphMatch {
  readonly path: string;
  readonly node: CallTreeNode;
}

/** All that a search finds in a merged tree, the largest first. */
export function graphMatches(answer: CallTreeAnswer | undefined, q: string): readonly GraphMatch[] {
  if (answer === undefined || q === '') return [];
  const { nodes, symbols } = answer;
  return nodes
    .map((node, index) => ({ node, index }))
    .filter(({ node }) => isFoundBy(q, symbols[node.symbol_idx ?? -1] ?? ''))
    .toSorted((a, b) => b.node.total_ns - a.node.total_ns || a.index - b.index)
    .map(({ node, index }) => ({ node, path: pathOf(answer, index) }));
}

/** The match after or before the current one, round the end; from outside of them, the first or the last. */
export function steppedTo(count: number, current: number | undefined, by: 1 | -1): number | undefined {
  if (count === 0) return undefined;
  if (current === undefined) return by === 1 ? 0 : count - 1;
  return (current + by + count) % count;
}
