/** A term of the filter language: `event:sched_switch`, with quotes where the value would be taken for something else. */
export function filterTerm(key: string, value: string): string {
  return `${key}:${/^[\w.:+/@-]+$/.test(value) ? value : quoted(value)}`;
}

const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
