/** What this browser was told to remember under `name`, if it remembers anything. */
export function readStored(name: string): string | undefined {
  try {
    return window.localStorage.getItem(name) ?? undefined;
  } catch {
    // Storage may be forbidden.
    return undefined;
  }
}

/** Has this browser remember `value`, or nothing. Storage may be forbidden or full: it then lasts as long as the page. */
export function store(name: string, value: string | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, value);
  } catch {
    // Nobody is told: what is remembered is a convenience.
  }
}
