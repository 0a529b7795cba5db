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
const loadLatencies = () => import('../../../../docs/latencies.md?raw');
const momentsQuery = meaningsQuery('moments', loadLatencies, momentsOf);
const flagsQuery = meaningsQuery('flags', loadLatencies, flagsOf);

const NONE: Meanings = new Map();

/** When each mechanism of a chain holds, as the documentation words it; empty until it is known. */
export function useMechanisms(): Meanings {
  return useQuery(mechanismsQuery).data ?? NONE;
}

/** What happens at each moment between two stages, as the documentation words it; empty until it is known. */
export function useMoments(): Meanings {
  return useQuery(momentsQuery).data ?? NONE;
}

/** What each flag of a latency means, as the documentation words it; empty until it is known. */
export function useFlags(): Meanings {
  return useQuery(flagsQuery).data ?? NONE;
}

/** The second cells of the rows that begin with a name: | `irqs_off` | an interrupt was due, and … | a section … | */
export function meaningsOf(page: string): Meanings {
  const rows = page.matchAll(/^\| `([\w ]+)` \| ([^|]+) \|/gm);
  return new Map(Array.from(rows, ([, name = '', cell = '']) => [name, asSentence(cell)]));
}

/** The table of moments, which is one of several on its page. */
export function momentsOf(page: string): Meanings {
  return tableOf(page, 'moment');
}

/** The table of flags, on the same page. */
export function flagsOf(page: string): Meanings {
  return tableOf(page, 'flag');
}

function tableOf(page: string, head: string): Meanings {
  const [, table = ''] = new RegExp(`^\\| ${head} \\|.*\n((?:\\|.*\n)+)`, 'm').exec(page) ?? [];
  return meaningsOf(table);
}

/** The cell without the marks of code and of stress. */
function asSentence(cell: string): string {
  const words = cell.trim().replaceAll(/[`*]/g, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
