import { useSyncExternalStore } from 'react';
import type { ThemeName } from '../../lib/colour';
import { cssVariable, PALETTES, type Palette } from '../../lib/palette';
import { readStored, store } from '../../lib/stored';

export interface Theme {
  readonly name: ThemeName;
  readonly palette: Palette;
}

const STORED = 'jitterscope.theme';
const listeners = new Set<() => void>();
let current: Theme = { name: 'dark', palette: PALETTES.dark };

/** The theme in use; a component that draws on a canvas redraws when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => current);
}

/** Takes the theme that was chosen here before, else the system's, and follows the system until one is chosen. */
export function startTheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: light)');
  const follow = () => applyTheme(chosenTheme() ?? (system.matches ? 'light' : 'dark'));
  system.addEventListener('change', follow);
  follow();
}

/** Switches to the other theme and remembers it on this machine. */
export function switchTheme(): void {
  const name = current.name === 'dark' ? 'light' : 'dark';
  store(STORED, name);
  applyTheme(name);
}

function applyTheme(name: ThemeName): void {
  current = { name, palette: PALETTES[name] };
  const root = document.documentElement;
  root.dataset['theme'] = name;
  root.style.setProperty('color-scheme', name);
  for (const [key, colour] of Object.entries(current.palette)) {
    root.style.setProperty(cssVariable(key as keyof Palette), colour); // Object.entries forgets the key type
  }
  for (const listener of listeners) listener();
}

function chosenTheme(): ThemeName | undefined {
  const stored = readStored(STORED);
  return stored === 'dark' || stored === 'light' ? stored : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
