/** `12.5 %`; nothing of nothing is nothing. */
export const percentText = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)}\u202f%`;
