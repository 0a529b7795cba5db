const STORED = 'jitterscope.recent';
const MOST = 20;

/** Ids of the traces that were opened in this browser, the last one first. */
export function recentTraces(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    // Storage may be forbidden, and anybody can write into it.
    return [];
  }
}

/** Puts a trace first among those that were opened. */
export function rememberTrace(id: string): void {
  const others = recentTraces().filter((other) => other !== id);
  try {
    window.localStorage.setItem(STORED, JSON.stringify([id, ...others].slice(0, MOST)));
  } catch {
    // Storage may be forbidden or full; lists then come in the server's order.
  }
}
