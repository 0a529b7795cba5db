import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeyScopes } from '../../components/keys/keys';
import { Palette } from '../../components/palette/Palette';
import type { RawSearch } from '../../viewState/viewSpec';
import { actionItems } from './actionItems';
import { docItems } from './docItems';
import { useFoundItems } from './useFoundItems';

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
  const { items, isSearching } = useFoundItems(traceId, query, go);
  return (
    <Palette
      title="Command palette"
      label="Search actions, pages, traces, comparisons, baselines, CPUs, tasks, functions and cases"
      placeholder="Actions, pages, traces, tasks, functions …"
      items={[...actions, ...items, ...docItems(go)]}
      query={query}
      onQuery={setQuery}
      isSearching={isSearching}
      openKey={openKey}
      onClose={onClose}
    />
  );
}
