import { useRouterState, type ParsedLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { KeptSelections, type Chosen } from './keptSelections';
import { NOTHING, type Selection } from './selection';

const left = new KeptSelections({
  // Reading the property alone may throw where a browser keeps nothing.
  getItem: (name) => window.sessionStorage.getItem(name),
  setItem: (name, text) => window.sessionStorage.setItem(name, text),
});

/**
 * What is selected, until another search shows other traces: nothing is done to traces that are not shown. Back from a
 * comparison and a reload find it again; it is not in the address, where thousands of ids have no room.
 */
export function useSelection(filter: string): readonly [Selection, (selection: Selection) => void] {
  const key = useRouterState({ select: ({ location }) => keyOf(location) });
  const [state, setState] = useState<Chosen>(() => left.get(key) ?? { filter, selection: NOTHING });
  useEffect(() => {
    left.set(key, state);
  }, [key, state]);
  const selection = state.filter === filter ? state.selection : NOTHING;
  return [selection, (chosen) => setState({ filter, selection: chosen })];
}

/** What the history knows an entry by. */
const keyOf = ({ state: { __TSR_key: key = '' } }: ParsedLocation) => key;
