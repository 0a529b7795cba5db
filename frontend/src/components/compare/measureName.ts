import { visibleText } from '../../lib/visibleText';

/** A kind of latency; of measurements and fields, one source or field. */
export interface MeasureKey {
  readonly kind: string;
  readonly key: string | null;
}

/** What is compared, as people call it. */
export function measureName({ kind, key }: MeasureKey): string {
  return key === null ? kind.replaceAll('_', ' ') : `${kind}: ${visibleText(key)}`;
}
