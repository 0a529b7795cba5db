const UNITS = [
  { unit: 'GHz', kHz: 1e6 },
  { unit: 'MHz', kHz: 1e3 },
] as const;

/** A frequency in kHz, as the kernel gives it, as people say it: `4.8 GHz`, with at most three decimals. */
export function frequencyText(kHz: number): string {
  const { unit, kHz: size } = UNITS.find((one) => kHz >= one.kHz) ?? { unit: 'kHz', kHz: 1 };
  return `${Number((kHz / size).toFixed(3))}\u202f${unit}`;
}
