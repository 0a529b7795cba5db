import { readStored, store } from './stored';

const STORED = 'jitterscope.recent';
const MOST = 20;

/** Ids of the traces that were opened in this browser, the last one first. */
export function recentTraces(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(readStored(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    // Anybody can write into it.
    return [];
  }
}

/** Puts a trace first among those that were opened. */
export function rememberTrace(id: string): void {
  const others = recentTraces().filter((other) => other !== id);
  store(STORED, JSON.stringify([id, ...others].slice(0, MOST)));
}
