/** `12.5 %`; nothing of nothing is nothing, and what is there is never `0.0 %`. */
export function percentText(part: number, whole: number): string {
  const share = part / Math.max(1, whole);
  return share > 0 && share < 0.001 ? '<\u202f0.1\u202f%' : `${(100 * share).toFixed(1)}\u202f%`;
}

/** By how much something changed: `−14 %`, `+0.4 %`, `−0.02 %`, and `× 164` of what grew manifold. */
export function changeText(share: number): string {
  if (share >= LEAST_FACTOR) return `×\u202f${Math.round(1 + share)}`;
  return `${share < 0 ? '−' : '+'}${changeDigits(100 * Math.abs(share))}\u202f%`;
}

/** From eleven times on. */
const LEAST_FACTOR = 10;

/** As few digits as show it: a change is never `0.0 %`. */
function changeDigits(percent: number): string {
  if (percent >= 9.95) return percent.toFixed(0);
  if (percent >= 0.095 || percent === 0) return percent.toFixed(1);
  return percent.toFixed(Math.min(MOST_DIGITS, Math.ceil(-Math.log10(percent))));
}

const MOST_DIGITS = 20;
