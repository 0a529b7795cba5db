import { someOf } from '../../lib/someOf';
import { visibleText } from '../../lib/visibleText';

interface Measured {
  readonly kind?: string | null;
  readonly field?: string | null;
  readonly source?: string | null;
}

/** What a saved comparison compares, as lists call it. */
export const comparedText = ({ kind, field, source }: Measured): string =>
  visibleText(field ?? source ?? kind ?? '');

/** More names than these do not fit. */
const MOST_NAMES = 4;

/** `before, after`: the names of its variants. */
export const variantsText = (names: readonly string[]): string => someOf(names.map(visibleText), MOST_NAMES);
