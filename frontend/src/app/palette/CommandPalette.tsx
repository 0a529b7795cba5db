import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeyScopes } from '../../components/keys/keys';
import { Palette } from '../../components/palette/Palette';
import type { PaletteItem } from '../../components/palette/rankItems';
import type { RawSearch } from '../../viewState/viewSpec';
import { actionItems } from './actionItems';
import { docItems } from './docItems';
import { openedItems } from './openedItems';
import { useFoundItems } from './useFoundItems';

const NOTHING: readonly PaletteItem[] = [];

interface CommandPaletteProps {
  readonly traceId: string | undefined;
  readonly openKey: string;
  readonly onClose: () => void;
}

/** Everything that can be done on this page, and every page that it leads to, by name. */
export function CommandPalette({ traceId, openKey, onClose }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  // As they are when it opens: nothing on the page changes while it is open.
  const scopes = useKeyScopes();
  const [actions] = useState(() => actionItems(scopes(), openKey));
  const navigate = useNavigate();
  const go = (to: string, search: RawSearch = {}) => {
    void navigate({ to, search: search as never }); // routes come from a table, so the router cannot know their search types
  };
  const { items: found, opened, isSearching, isOpening } = useFoundItems(traceId, query, go);
  const docs = docItems(go);
  const isTyped = query.trim() !== '';
  const items = isTyped ? [...actions, ...found, ...docs] : openedItems({ actions, found, docs, opened });
  return (
    <Palette
      title="Command palette"
      label="Search cases, pages, traces, comparisons, baselines, CPUs, tasks, functions and actions"
      placeholder="Cases, pages, traces, actions …"
      items={isOpening && !isTyped ? NOTHING : items}
      query={query}
      onQuery={setQuery}
      isSearching={isSearching}
      openKey={openKey}
      onClose={onClose}
    />
  );
}
