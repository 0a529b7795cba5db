import type { ChainLink } from '../../../api/chain';

/** A stretch of the critical path: who held the case up, and on which CPU. */
export interface PathPiece {
  readonly start: number;
  readonly end: number;
  readonly cpu: number;
  /** The task, where it is one. */
  readonly pid: number | undefined;
  /** The link's own words. */
  readonly sentence: string;
}

/** Chains are at most 8 deep. */
const DEEPEST = 8;

/**
 * What an opened case waited for, piece by piece in time: each link of its chain, and in place of one that hangs on
 * another task or handler what lies under it.
 */
export function criticalPath(why: readonly ChainLink[]): readonly PathPiece[] {
  return piecesOf(why, 0).toSorted((a, b) => a.start - b.start || a.end - b.end);
}

function piecesOf(links: readonly ChainLink[], depth: number): readonly PathPiece[] {
  return links.flatMap((link) => {
    const under = depth < DEEPEST ? (link.deeper?.links ?? []) : [];
    const [start, end] = [link.start, link.start + link.duration_ns];
    if (under.length === 0) return end > start ? [pieceOf(link, start, end)] : [];
    return around(link, piecesOf(under, depth + 1));
  });
}

/** What lies under a link, cut to it, and the link itself where nothing lies under it. */
function around(link: ChainLink, under: readonly PathPiece[]): readonly PathPiece[] {
  const end = link.start + link.duration_ns;
  const pieces: PathPiece[] = [];
  let at = link.start;
  for (const piece of under.toSorted((a, b) => a.start - b.start)) {
    const [from, to] = [Math.max(at, piece.start), Math.min(end, piece.end)];
    if (to <= from) continue;
    if (from > at) pieces.push(pieceOf(link, at, from));
    pieces.push({ ...piece, start: from, end: to });
    at = to;
  }
  return at < end ? [...pieces, pieceOf(link, at, end)] : pieces;
}

const pieceOf = ({ cpu, subject, sentence }: ChainLink, start: number, end: number): PathPiece => ({
  start,
  end,
  cpu: subject?.cpu ?? cpu,
  pid: subject?.pid ?? undefined,
  sentence,
});
