import { spanOf, type TimeWindow } from '../chart/timeWindow';

/** A stretch of a latency as the ruler draws it. */
export interface RulerPiece {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** How long it is, as people say it. */
  readonly length: string;
  readonly isLate: boolean;
}

/** A piece in pixels of the track, cut at its edges. */
export interface PlacedPiece extends RulerPiece {
  readonly left: number;
  readonly width: number;
  /** As many of its words as fit: name and length, only the length, or nothing; nothing under the late part. */
  readonly text: string;
}

/** Pixels of one character of the ruler's type, rounded up. */
const CHARACTER_PX = 7;
const PADDING_PX = 8;
/** An instant is still seen. */
const LEAST_PX = 1;

/** The pieces that touch the window, on a track of `trackPx` pixels. */
export function placePieces(
  pieces: readonly RulerPiece[],
  window: TimeWindow,
  trackPx: number,
): readonly PlacedPiece[] {
  const scale = trackPx / Math.max(1, spanOf(window));
  const late = pieces.filter(({ isLate }) => isLate);
  return pieces
    .filter(({ start, end }) => start < window.end && (end > window.start || start >= window.start))
    .map((piece) => {
      const left = Math.max(0, (piece.start - window.start) * scale);
      const right = Math.min(trackPx, (piece.end - window.start) * scale);
      const width = Math.max(LEAST_PX, right - left);
      const isCovered =
        !piece.isLate && late.some(({ start, end }) => start < piece.end && end > piece.start);
      return { ...piece, left, width, text: isCovered ? '' : fittingText(piece, width) };
    });
}

function fittingText(piece: RulerPiece, width: number): string {
  return [pieceText(piece), piece.length].find((text) => isRoomFor(text, width)) ?? '';
}

/** Some sentences say how long it took, in the middle of them. */
const LENGTH = /\d\s(?:ns|µs|ms|s|clock ticks?)(?!\p{L})/u;

/** What a piece is and how long it is, which is said once. */
export function pieceText({ name, length }: Pick<RulerPiece, 'name' | 'length'>): string {
  return LENGTH.test(name) ? name : `${name} ${length}`;
}

/** Whether a text of the ruler's type fits into so many pixels. */
export function isRoomFor(text: string, px: number): boolean {
  return text.length * CHARACTER_PX + PADDING_PX <= px;
}

/** The piece at `x` pixels of the track; of those that lie over each other, the uppermost. */
export function pieceAt(placed: readonly PlacedPiece[], x: number): PlacedPiece | undefined {
  const near = placed.filter(({ left, width }) => left - 2 <= x && x < left + width + 2);
  const inside = near.filter(({ left, width }) => left <= x && x < left + width);
  return inside.at(-1) ?? near[0];
}
