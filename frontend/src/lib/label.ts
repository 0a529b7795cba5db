export interface Label {
  readonly name: string;
  readonly value: string;
}

/** The label of a file of measurements that holds the id of its trace. It ties two files, and groups none. */
export const TIE = 'with';

/** A label of an address, `name:value`, as the page shows all of them: `name=value`. A name has no colon. */
export const labelText = (label: string): string => label.replace(':', '=');

/** The label that somebody typed as `name=value` (or `name:value`), or a sentence that says what is wrong with it. */
export function readLabel(typed: string): Label | string {
  const [, name = '', value = ''] = /^\s*([^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(typed) ?? [];
  if (name === '' || value === '') return 'A label is a name and a value: board=rpi5.';
  if (!/^[A-Za-z0-9][A-Za-z0-9_./-]{0,62}$/.test(name)) {
    return 'A label name has at most 63 letters, digits, _ . / and -.';
  }
  if (value.length > 200) return 'A label value has at most 200 characters.';
  return { name, value };
}
