import { groupDigits } from '../../../lib/ns';

/** How many samples, as people say it: `1 sample`, `3,616 samples`. */
export function samplesText(count: number): string {
  return `${groupDigits(count)} ${count === 1 ? 'sample' : 'samples'}`;
}
