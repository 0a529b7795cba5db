/** How far each key goes along what is read. */
export const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -20,
  PageDown: 20,
  Home: -Infinity,
  End: Infinity,
};

/** The index that a key leads to from another one, at first to an end; nothing for keys that lead nowhere. */
export function stepByKey(key: string, at: number | undefined, count: number): number | undefined {
  const by = KEY_STEPS[key];
  if (by === undefined || count === 0) return undefined;
  const from = at ?? (by > 0 ? -1 : count);
  return Math.max(0, Math.min(count - 1, from + by));
}
