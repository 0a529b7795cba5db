import { queryOptions, useQuery } from '@tanstack/react-query';

type Meanings = ReadonlyMap<string, string>;

/** What a table of the documentation says of names; loaded when it is first needed, and kept. */
const meaningsQuery = (
  of: string,
  load: () => Promise<{ readonly default: string }>,
  read: (page: string) => Meanings,
) =>
  queryOptions({
    queryKey: ['meanings', of],
    queryFn: async () => read((await load()).default),
    staleTime: Infinity,
    gcTime: Infinity,
  });

const mechanismsQuery = meaningsQuery('mechanisms', () => import('../../../../docs/why.md?raw'), meaningsOf);
const momentsQuery = meaningsQuery('moments', () => import('../../../../docs/latencies.md?raw'), momentsOf);

const NONE: Meanings = new Map();

/** When each mechanism of a chain holds, as the documentation words it; empty until it is known. */
export function useMechanisms(): Meanings {
  return useQuery(mechanismsQuery).data ?? NONE;
}

/** What happens at each moment between two stages, as the documentation words it; empty until it is known. */
export function useMoments(): Meanings {
  return useQuery(momentsQuery).data ?? NONE;
}

/** The second cells of the rows that begin with a name: | `irqs_off` | an interrupt was due, and … | a section … | */
export function meaningsOf(page: string): Meanings {
  const rows = page.matchAll(/^\| `([\w ]+)` \| ([^|]+) \|/gm);
  return new Map(Array.from(rows, ([, name = '', cell = '']) => [name, asSentence(cell)]));
}

/** The table of moments, which is one of several on its page. */
export function momentsOf(page: string): Meanings {
  const [, table = ''] = /^\| moment \|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  return meaningsOf(table);
}

/** The cell without the marks of code and of stress. */
function asSentence(cell: string): string {
  const words = cell.trim().replaceAll(/[`*]/g, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
