/** A size in binary units to three digits, number and unit apart: 4,606,541 is `4.39` `MiB`. */
export function formatBytes(sizeBytes: number): { readonly value: string; readonly unit: string } {
  let size = sizeBytes;
  let step = 0;
  // 1023.5 would print as 1024: it belongs to the next unit already.
  while (step < UNITS.length - 1 && size >= 1023.5) {
    size /= 1024;
    step += 1;
  }
  const digits = step === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return { value: size.toFixed(digits), unit: UNITS[step] ?? 'B' };
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `formatBytes` as one string with a narrow no-break space before the unit. */
export function bytesText(sizeBytes: number): string {
  const { value, unit } = formatBytes(sizeBytes);
  return `${value}\u202f${unit}`;
}
