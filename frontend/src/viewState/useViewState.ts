import { useMatch, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { RawSearch, ViewSpec } from './viewSpec';

export interface ViewStateChange {
  /** `push` for a step that Back should undo; `replace`, the default, for typing and panning. */
  readonly history?: 'push' | 'replace';
}

export type SetViewState<S> = (patch: Partial<S>, change?: ViewStateChange) => void;

/**
 * The state of the page, which is its URL, and the way to change it. A page that is being left changes nothing any
 * more: what it still had to say (text of a search whose typing had not paused) would lead back to it.
 */
export function useViewState<S extends object>(spec: ViewSpec<S>): readonly [S, SetViewState<S>] {
  const raw = useRawSearch();
  const router = useRouter();
  const page = useMatch({ strict: false, select: ({ id }) => id });
  const state = useMemo(() => spec.read(raw).state, [spec, raw]);
  const set = useCallback<SetViewState<S>>(
    (patch, change) => {
      // By what is matched: the same page may be written in several ways, with `%40` or a slash at the end.
      if (router.matchRoutes(router.latestLocation).every(({ id }) => id !== page)) return;
      // From the newest search, not from the rendered one: two changes in one tick must both arrive.
      const next = (newest: RawSearch): RawSearch => spec.write({ ...spec.read(newest).state, ...patch });
      const replace = change?.history !== 'push';
      // It is the same page, and stays where it is scrolled to: to scroll it up would also lay it out within a frame.
      const place = { to: '.', replace, resetScroll: false };
      void router.navigate({ ...place, search: next as never }); // routes come from a table, so the router cannot know their search types
    },
    [spec, router, page],
  );
  return [state, set];
}

/**
 * The search parameters of the page's URL, all texts. They are the page's own: one that is being left does not see
 * those of the next page, which would make it ask for something else.
 */
export function useRawSearch(): RawSearch {
  return useSearch({ strict: false }) as RawSearch; // parseSearch makes only texts
}
