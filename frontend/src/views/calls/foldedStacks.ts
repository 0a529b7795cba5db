import type { CallTreeAnswer } from '../../api/calls';
import { visibleText } from '../../lib/visibleText';

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
