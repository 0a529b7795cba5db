/**
 * How much of a stretch lies before the first record, from which times are counted: an event may state a length that
 * begins before it, as those of noise do.
 */
export const unrecordedNs = (start: number, duration: number): number =>
  Math.max(0, Math.min(duration, -start));
