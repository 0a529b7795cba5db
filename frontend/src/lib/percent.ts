/** `12.5 %`; nothing of nothing is nothing, and what is there is never `0.0 %`. */
export function percentText(part: number, whole: number): string {
  const share = part / Math.max(1, whole);
  return share > 0 && share < 0.001 ? '<\u202f0.1\u202f%' : `${(100 * share).toFixed(1)}\u202f%`;
}
