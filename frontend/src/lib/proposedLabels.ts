import { readLabel, type Label } from './label';

/** What proposals are read from: the labels that a trace has, its name, and the kernel that it states. */
export interface Named {
  readonly name: string;
  readonly kernel?: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** Words that, before digits, say what the digits are: `hz1000`, `run03`. Others, such as `rpi5`, are names of their own. */
const COUNTED = /^(hz|run|cpu|build|boot|seed|prio)[-_]?(\d+)$/i;
const STATED = /^([A-Za-z][A-Za-z0-9]*)=([A-Za-z0-9][A-Za-z0-9.+]*)$/;
const ENDINGS =
  /(\.(zst|gz|xz|bz2|txt|dat|json|tsv|csv|log|ftrace|trace|report|systrace|samples|counts|cyclictest))+$/i;

/**
 * The labels that all of these traces state, in their names or in their recordings, and that not all have yet.
 *
 * Nothing is guessed: a word of a name that does not say what it is a value of (`idle`, `before`) makes no label.
 */
export function proposedLabels(traces: readonly Named[]): readonly Label[] {
  const [first, ...others] = traces.map(statedBy);
  return Object.entries(first ?? {})
    .filter(([name, value]) => others.every((stated) => stated[name] === value))
    .filter(([name, value]) => !traces.every(({ labels }) => labels[name] === value))
    .map(([name, value]) => readLabel(`${name}=${value}`))
    .filter((label) => typeof label !== 'string'); // a recording may state what is too long for a label
}

/** What one trace states. A name that states two values for one thing states neither. */
function statedBy({ name, kernel }: Named): Readonly<Record<string, string>> {
  const words = name.replace(ENDINGS, '').split(/[-_\s,;]+/);
  const found = words.flatMap((word) => {
    const [, of, value] = STATED.exec(word) ?? COUNTED.exec(word) ?? [];
    return of !== undefined && value !== undefined ? [[of.toLowerCase(), value] as const] : [];
  });
  const agreed = found.filter(([of, value]) =>
    found.every(([other, rival]) => other !== of || rival === value),
  );
  return Object.fromEntries(
    kernel ? [...agreed.filter(([of]) => of !== 'kernel'), ['kernel', kernel]] : agreed,
  );
}
