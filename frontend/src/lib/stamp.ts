import type { Ns } from './ns';

/**
 * The trace's own stamp of an instant, in seconds with all nine decimals: `14372.732649000`. The absolute start does
 * not fit a JavaScript number, so the sum is made of big integers.
 */
export function stampText(originNs: string, t: Ns): string {
  const stamp = BigInt(originNs) + BigInt(t);
  const size = stamp < 0n ? -stamp : stamp;
  const rest = (size % 1_000_000_000n).toString().padStart(9, '0');
  return `${stamp < 0n ? '-' : ''}${size / 1_000_000_000n}.${rest}`;
}
