/** A line across the lanes, with what is written at its foot. */
export interface Flagged {
  /** Pixels from the left edge of the plot. */
  readonly x: number;
  readonly text?: string | undefined;
}

/** Where the text of a line goes: beside it, and as many rows above the foot of the plot as others need. */
export interface Flag {
  readonly side: 'left' | 'right';
  readonly row: number;
  /** Pixels to the edge of the plot. */
  readonly maxWidth: number;
}

export const FLAG_ROW_PX = 16;
const LETTER_PX = 7;
const PADDING_PX = 8;

/** A place for each text, on the side of its line that has the room, so that none lies over another. */
export function placeFlags(lines: readonly Flagged[], plotWidth: number): readonly (Flag | undefined)[] {
  const taken: { readonly row: number; readonly from: number; readonly to: number }[] = [];
  return lines.map(({ x, text }) => {
    if (text === undefined || text === '') return undefined;
    const wanted = text.length * LETTER_PX + PADDING_PX;
    const side = x + wanted <= plotWidth || x < plotWidth / 2 ? 'right' : 'left';
    const maxWidth = Math.max(0, side === 'right' ? plotWidth - x : x);
    const width = Math.min(wanted, maxWidth);
    const [from, to] = side === 'right' ? [x, x + width] : [x - width, x];
    let row = 0;
    while (taken.some((other) => other.row === row && from < other.to && to > other.from)) row += 1;
    taken.push({ row, from, to });
    return { side, row, maxWidth };
  });
}
