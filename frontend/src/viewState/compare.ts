import { MOST_VARIANTS, type Variant } from '../lib/variants';
import { choiceField, countField, textField, type Field } from './fields';
import { DISTRIBUTION_FORMS, type DistributionForm } from './trace';
import { viewSpec } from './viewSpec';

/** A comparison of groups of traces: which, by what measure, and how it is drawn. */
export const compareState = viewSpec({
  /** The first one is what the others are compared with. */
  variants: variantsField(),
  /** A kind of latency; what all variants have and tells the most where it is empty. */
  kind: textField(64),
  /** A source of measurements, or a field of events. */
  key: textField(512),
  cpu: countField(0, 32_767),
  /** Only tasks of this name. */
  comm: textField(64),
  /** What the samples are split by: `label:sleep`, `cpu`, `task` or `key`. */
  rows: textField(80),
  columns: textField(80),
  form: choiceField<DistributionForm>(DISTRIBUTION_FORMS),
  scale: choiceField<'log' | 'linear'>(['log', 'linear']),
});

export type CompareState = ReturnType<typeof compareState.read>['state'];

const MOST_TRACES = 2_000;

/** `before=id,id;after=id`: names with the signs that part them escaped. */
function variantsField(): Field<readonly Variant[]> {
  return {
    fallback: [],
    parse: (text) => {
      const variants = text.split(';').map(parseVariant);
      const known = variants.filter((variant) => variant !== undefined);
      const names = new Set(known.map(({ name }) => name));
      const traces = known.reduce((sum, variant) => sum + variant.traces.length, 0);
      const isGood = known.length === variants.length && names.size === known.length;
      return isGood && known.length <= MOST_VARIANTS && traces <= MOST_TRACES ? known : undefined;
    },
    print: (variants) =>
      variants.map(({ name, traces }) => `${encodeURIComponent(name)}=${traces.join(',')}`).join(';'),
    wants: `up to ${MOST_VARIANTS} variants such as before=abcdefghijkl,mnopqrstuvwx;after=yzabcdefghij`,
  };
}

function parseVariant(text: string): Variant | undefined {
  const [, name, ids] = /^([^=;,]{1,600})=([\w-]{1,64}(?:,[\w-]{1,64})*)$/.exec(text) ?? [];
  if (name === undefined || ids === undefined) return undefined;
  try {
    const decoded = decodeURIComponent(name);
    return decoded.length > 200 ? undefined : { name: decoded, traces: ids.split(',') };
  } catch {
    return undefined;
  }
}
