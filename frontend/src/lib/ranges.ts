/** Whole numbers in ascending order as people write CPU lists: `0-3, 8`. */
export function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([low, high]) => (low === high ? low.toString() : `${low}-${high}`)).join(', ');
}
