import { labelText } from '../../lib/label';
import { countText } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { CLASS_NAMES, PRIORITY_CLASSES, type PriorityClass } from '../../viewState/trace';
import { trendState, type TrendState } from '../../viewState/trend';
import type { RawSearch } from '../../viewState/viewSpec';

/** What is needed of a baseline; the API's own type has all of it. */
interface Held {
  readonly slug: string;
  readonly variant: {
    readonly traces: readonly string[];
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly where: {
    readonly cpu?: number | null;
    readonly comm?: string | null;
    readonly priority_class?: string | null;
  };
}

/** `board=rpi4, tasks named cyclictest`: which runs a baseline holds, and which of their samples. */
export function heldText({ variant, where }: Held): string {
  const labels = labelsOf(variant).map((label) => visibleText(labelText(label)));
  return [
    labels.length > 0 ? labels.join(' ') : countText(variant.traces.length, 'trace'),
    ...samplesTexts(where),
  ].join(', ');
}

/** `real-time tasks named cyclictest`, `CPU 1`: what the samples have in common; nothing where all are held. */
export function samplesTexts(where: Held['where']): readonly string[] {
  const classes = classesOf(where).map((name) => CLASS_NAMES[name]);
  const tasks = [classes.join(' and '), 'tasks', where.comm ? `named ${visibleText(where.comm)}` : ''];
  return [
    ...(classes.length > 0 || where.comm ? [tasks.filter((word) => word !== '').join(' ')] : []),
    ...(typeof where.cpu === 'number' ? [`CPU ${where.cpu}`] : []),
  ];
}

/** The classes of tasks that are held, in the order of the page; none where all are. */
export function classesOf({ priority_class: named }: Held['where']): readonly PriorityClass[] {
  const names = (named ?? '').split(',');
  return PRIORITY_CLASSES.filter((name) => names.includes(name));
}

type Shown = Pick<TrendState, 'cpu' | 'comm' | 'priority'>;

/** The part of a trend's state that keeps to the samples of a baseline. */
export function keptTo(where: Held['where']): Partial<Shown> {
  const classes = classesOf(where);
  return {
    ...(typeof where.cpu === 'number' && { cpu: where.cpu }),
    ...(where.comm ? { comm: where.comm } : {}),
    ...(classes.length > 0 && { priority: classes }),
  };
}

/** The trend of a baseline's own runs, with its number behind them and the check of the last one. */
export function baselineSearch({ slug, variant, where }: Held): RawSearch {
  return trendState.write({
    ...trendState.read({}).state,
    labels: labelsOf(variant),
    traces: variant.traces,
    ...keptTo(where),
    baseline: slug,
  });
}

const labelsOf = ({ labels }: Held['variant']) =>
  Object.entries(labels).map(([name, value]) => `${name}:${value}`);
