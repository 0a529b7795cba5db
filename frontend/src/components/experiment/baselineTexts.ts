import { labelText } from '../../lib/label';
import { countText } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { trendState } from '../../viewState/trend';
import type { RawSearch } from '../../viewState/viewSpec';

/** What is needed of a baseline; the API's own type has all of it. */
interface Held {
  readonly slug: string;
  readonly variant: {
    readonly traces: readonly string[];
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly where: { readonly cpu?: number | null; readonly comm?: string | null };
}

/** `board=rpi4, tasks named cyclictest`: which runs a baseline holds, and which of their samples. */
export function heldText({ variant, where }: Held): string {
  const labels = labelsOf(variant).map((label) => visibleText(labelText(label)));
  return [
    labels.length > 0 ? labels.join(' ') : countText(variant.traces.length, 'trace'),
    ...(where.comm ? [`tasks named ${visibleText(where.comm)}`] : []),
    ...(typeof where.cpu === 'number' ? [`CPU ${where.cpu}`] : []),
  ].join(', ');
}

/** The trend of a baseline's own runs, with its number behind them and the check of the last one. */
export function baselineSearch({ slug, variant, where }: Held): RawSearch {
  return trendState.write({
    ...trendState.read({}).state,
    labels: labelsOf(variant),
    traces: variant.traces,
    cpu: where.cpu ?? undefined,
    comm: where.comm ?? '',
    baseline: slug,
  });
}

const labelsOf = ({ labels }: Held['variant']) =>
  Object.entries(labels).map(([name, value]) => `${name}:${value}`);
