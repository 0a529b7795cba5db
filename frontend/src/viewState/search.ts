import type { RawSearch } from './viewSpec';

/** The query string as plain texts; of a repeated parameter the first counts. */
export function parseSearch(query: string): RawSearch {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!found.has(name)) found.set(name, value);
  }
  // Object.fromEntries makes own properties, so `__proto__` in a link is a parameter like any other.
  return Object.fromEntries(found);
}

/** The query string with its question mark, or nothing. Commas, colons, at signs and slashes stay readable in a link. */
export function printSearch(raw: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string') query.set(name, value);
  }
  const text = query
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%40', '@')
    .replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}
