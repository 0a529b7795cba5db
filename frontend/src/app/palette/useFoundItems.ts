import { useQueries, type QueryFunctionContext } from '@tanstack/react-query';
import type { PaletteItem } from '../../components/palette/rankItems';
import { useServerWord } from '../../components/palette/useServerWord';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import { useRawSearch } from '../../viewState/useViewState';
import type { RawSearch } from '../../viewState/viewSpec';
import { SOURCES } from './sources';

interface FoundItems {
  readonly items: readonly PaletteItem[];
  /** Those of the page itself and of its trace, by id. */
  readonly opened: ReadonlySet<string>;
  readonly isSearching: boolean;
  /** What the list begins with is still to come: anything else in its place would move from under the cursor. */
  readonly isOpening: boolean;
}

const FIRST_SOURCES = new Set(['cases', 'traces']);

/** What the sources have for this trace, and matches of the typed text once typing pauses. */
export function useFoundItems(
  traceId: string | undefined,
  query: string,
  go: (to: string, search?: RawSearch) => void,
): FoundItems {
  const { word, settled } = useServerWord(query);
  // Links to the lanes keep what is on the screen, except what they change.
  const raw = useRawSearch();
  const isTimeline = traceId !== undefined && window.location.pathname === paths.timeline(traceId);
  const timeline = timelineState.read(isTimeline ? raw : {}).state;
  const sources = SOURCES.filter(({ isOfTrace }) => !isOfTrace || traceId !== undefined);
  const asked = sources.flatMap(({ name, isSearched, find }) =>
    (isSearched && settled !== '' ? ['', settled] : ['']).map((q) => ({ name, find, q })),
  );
  const results = useQueries({
    queries: asked.map(({ name, find, q }) => ({
      queryKey: ['palette', name, traceId, q],
      queryFn: ({ client, signal }: QueryFunctionContext) =>
        find({ client, signal, traceId: traceId ?? '', q }),
      staleTime: 10_000,
    })),
  });
  const found = new Map(results.flatMap(({ data }) => data ?? []).map((item) => [item.id, item]));
  const here = [...found.values()].filter(({ link }) => link(timeline).to === window.location.pathname);
  return {
    items: [...found.values()].map(({ link, ...item }) => ({
      ...item,
      run: () => {
        const { to, search } = link(timeline);
        go(to, search);
      },
    })),
    opened: new Set([`trace ${traceId ?? ''}`, ...here.map(({ id }) => id)]),
    isSearching: settled !== word || results.some(({ isFetching }) => isFetching),
    isOpening: results.some(
      ({ isPending, failureCount }, at) =>
        FIRST_SOURCES.has(asked[at]?.name ?? '') && isPending && failureCount === 0,
    ),
  };
}
