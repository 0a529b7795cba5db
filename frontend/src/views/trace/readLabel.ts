export interface Label {
  readonly name: string;
  readonly value: string;
}

/** The label that somebody typed as `name=value` (or `name:value`), or a sentence that says what is wrong with it. */
export function readLabel(typed: string): Label | string {
  const [, name = '', value = ''] = /^\s*([^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(typed) ?? [];
  if (name === '' || value === '') return 'A label has a name and a value: board=rpi5.';
  if (!/^[A-Za-z0-9][A-Za-z0-9_./-]{0,62}$/.test(name)) {
    return 'The name of a label is made of letters, digits and _ . / -, at most 63 of them.';
  }
  if (value.length > 200) return 'The value of a label has at most 200 characters.';
  return { name, value };
}
