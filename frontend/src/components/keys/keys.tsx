import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type ReactNode,
} from 'react';

/** One action of a page: the keys that do it, and what it does, for the help sheet and the command palette. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` spells them, `Mod+k` with Ctrl or ⌘. None for what only the palette does. */
  readonly keys: readonly string[];
  readonly does: string;
  /** Absent for keys that the element in focus handles itself; they are only listed. */
  readonly run?: () => void;
}

export interface KeyScope {
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
}

interface KeyRegistry {
  readonly add: (read: () => KeyScope) => () => void;
  readonly scopes: () => readonly KeyScope[];
}

const KeyContext = createContext<KeyRegistry | undefined>(undefined);

/** Listens for the keys of everything below it. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const registry = useMemo(() => createRegistry(), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => dispatch(event, registry.scopes());
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [registry]);
  return <KeyContext.Provider value={registry}>{children}</KeyContext.Provider>;
}

/** Puts keys and actions in force while the calling component is on the page; both sheets list them under `title`. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const registry = useContext(KeyContext);
  const latest = useRef<KeyScope>({ title, bindings });
  // Before anything is painted: whoever sees what is pointed at may press a key at once.
  useLayoutEffect(() => {
    latest.current = { title, bindings };
  });
  useEffect(() => registry?.add(() => latest.current), [registry]);
}

/** The keys and actions in force now, the newest scope last; read them when a sheet opens. */
export function useKeyScopes(): () => readonly KeyScope[] {
  const registry = useContext(KeyContext);
  return registry?.scopes ?? noScopes;
}

const noScopes = (): readonly KeyScope[] => [];

function createRegistry(): KeyRegistry {
  const readers = new Set<() => KeyScope>();
  return {
    add: (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    scopes: () => [...readers].map((read) => read()),
  };
}

function dispatch(event: KeyboardEvent, scopes: readonly KeyScope[]): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  // An open dialog keeps the keyboard to itself; so does a field that is being typed in, but for what types nothing.
  if (document.querySelector('dialog[open]')) return;
  const pressed = pressedKey(event);
  if (pressed === event.key && pressed !== 'Escape' && isTyping(event.target)) return;
  // The newest scope first: a panel's keys win over those of the page it lies on.
  for (const scope of scopes.toReversed()) {
    const binding = scope.bindings.find((candidate) => candidate.run && candidate.keys.includes(pressed));
    if (binding?.run) {
      event.preventDefault();
      binding.run();
      return;
    }
  }
}

/** How a binding spells what was pressed. */
export function pressedKey({ key, ctrlKey, metaKey }: KeyPress): string {
  return ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key;
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  ) {
    return true;
  }
  return (
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
  );
}
