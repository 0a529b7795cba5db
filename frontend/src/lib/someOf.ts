import { groupDigits } from './ns';

/** `a, b, c and 12 more`: as many names as fit. One more is named, as it takes no more room than its number. */
export function someOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  if (more <= 1) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${groupDigits(more)} more`;
}
