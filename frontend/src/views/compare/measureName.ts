import type { OfferedMeasure } from '../../api/compare';
import { visibleText } from '../../lib/visibleText';

/** What is compared, as people call it. */
export function measureName({ kind, key }: Pick<OfferedMeasure, 'kind' | 'key'>): string {
  return key === null ? kind.replaceAll('_', ' ') : `${kind}: ${visibleText(key)}`;
}
