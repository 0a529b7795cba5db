import { MOST_VARIANTS, type Variant } from '../lib/variants';
import { classesField, withAllClasses } from './classes';
import { choiceField, countField, optionalChoiceField, textField, type Field } from './fields';
import { DISTRIBUTION_FORMS, type DistributionForm } from './trace';
import { viewSpec } from './viewSpec';

/** A comparison of groups of traces: which, by what measure, and how it is drawn. */
export const compareState = viewSpec(
  {
    /** The first one is what the others are compared with. */
    variants: variantsField(),
    /** A kind of latency; empty for the most informative one that all variants have. */
    kind: textField(64),
    /** A source of measurements, or a field of events. */
    key: textField(512),
    cpu: countField(0, 32_767),
    /** Only tasks of this name. */
    comm: textField(64),
    /** Only tasks of these classes. */
    priority: classesField(),
    /** What the samples are split by: `label:sleep`, `cpu`, `task` or `key`. */
    rows: textField(80),
    columns: textField(80),
    /** Absent for the one that fits: sorted samples of bare numbers, bars of times. */
    form: optionalChoiceField<DistributionForm>(DISTRIBUTION_FORMS),
    scale: choiceField<'log' | 'linear'>(['log', 'linear']),
  },
  [withAllClasses],
);

export type CompareState = ReturnType<typeof compareState.read>['state'];

const MOST_TRACES = 2_000;

/** `before=id,id;after=load:none,board:rpi5`: ids, or labels. The signs that part them are escaped in names and values. */
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
      variants
        .map(({ name, traces, labels }) => {
          const members = labels === undefined ? traces : Object.entries(labels).map(printLabel);
          return `${encodeURIComponent(name)}=${members.join(',')}`;
        })
        .join(';'),
    wants: `up to ${MOST_VARIANTS} variants such as before=abcdefghijkl,mnopqrstuvwx;after=yzabcdefghij`,
  };
}

const printLabel = ([name, value]: readonly [string, string]) => `${name}:${encodeURIComponent(value)}`;

const NAME = /^[^=;,]{1,600}$/;
const IDS = /^[\w-]{1,64}(?:,[\w-]{1,64})*$/;
const LABELS = /^[\w./-]{1,63}:[^=;,:]{1,600}(?:,[\w./-]{1,63}:[^=;,:]{1,600}){0,19}$/;

function parseVariant(text: string): Variant | undefined {
  const at = text.indexOf('=');
  const [encoded, members] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  const name = NAME.test(encoded) ? decoded(encoded) : undefined;
  if (name === undefined) return undefined;
  if (IDS.test(members)) return { name, traces: members.split(',') };
  if (!LABELS.test(members)) return undefined;
  const labels = members.split(',').map((label) => {
    const [of = '', value = ''] = label.split(':');
    return [of, decoded(value)] as const;
  });
  if (labels.some(([, value]) => value === undefined)) return undefined;
  return { name, traces: [], labels: Object.fromEntries(labels) as Record<string, string> }; // none is undefined
}

/** At most 200 characters, as the server takes them. */
function decoded(text: string): string | undefined {
  try {
    const found = decodeURIComponent(text);
    return found.length > 200 ? undefined : found;
  } catch {
    return undefined;
  }
}
