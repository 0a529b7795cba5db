const SIGNS = new Map([
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['Escape', 'Esc'],
  [' ', 'Space'],
]);

/** What is printed on the keys: no key twice because it counts with and without Shift. */
export function keyNames(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => SIGNS.get(key) ?? letterKey(key, keys)))];
}

function letterKey(key: string, keys: readonly string[]): string {
  if (key.startsWith('Mod+')) return `${modifierName()} ${capitals(key.slice('Mod+'.length))}`;
  if (key.startsWith('Alt+')) return `Alt ${SIGNS.get(key.slice('Alt+'.length)) ?? ''}`;
  if (key.length > 1) return key;
  const needsShift = key !== key.toLowerCase() && !keys.includes(key.toLowerCase());
  return needsShift ? `Shift ${key}` : key.toUpperCase();
}

/** Letters are printed as capitals, names of keys with one. */
const capitals = (key: string) => key.charAt(0).toUpperCase() + key.slice(1);

/** The key that a shortcut takes with another one: ⌘ on Apple's keyboards, Ctrl on all others. */
function modifierName(): string {
  return /Mac|iPhone|iPad/.test(window.navigator.userAgent) ? '⌘' : 'Ctrl';
}
