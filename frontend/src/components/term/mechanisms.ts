import { queryOptions, useQuery } from '@tanstack/react-query';

const mechanismsQuery = queryOptions({
  queryKey: ['mechanisms'],
  queryFn: async () => {
    const page = await import('../../../../docs/why.md?raw');
    return meaningsOf(page.default);
  },
  staleTime: Infinity,
  gcTime: Infinity,
});

const NONE: ReadonlyMap<string, string> = new Map();

/** When each mechanism of a chain holds, as the documentation words it; empty until it is known. */
export function useMechanisms(): ReadonlyMap<string, string> {
  return useQuery(mechanismsQuery).data ?? NONE;
}

/** The second cells of the rows that begin with a name: | `irqs_off` | an interrupt was due, and … | a section … | */
export function meaningsOf(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `([\w ]+)` \| ([^|]+) \|/gm);
  return new Map(Array.from(rows, ([, name = '', cell = '']) => [name, asSentence(cell)]));
}

/** The cell without the marks of code and of stress. */
function asSentence(cell: string): string {
  const words = cell.trim().replaceAll(/[`*]/g, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
