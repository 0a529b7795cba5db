import { groupDigits } from '../../lib/ns';

/** `1 trace`, `1,203 traces` */
export const traceCount = (count: number): string =>
  `${groupDigits(count)} ${count === 1 ? 'trace' : 'traces'}`;
