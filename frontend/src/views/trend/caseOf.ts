import type { DiffRef } from '../../viewState/diff';

/** The trace and the id of the case that a permalink opens; nothing for other links. */
export function caseOf(url: string): DiffRef | undefined {
  const [, trace, id] = /^\/t\/([^/]+)\/cases\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
  if (trace === undefined || id === undefined) return undefined;
  return { trace: decodeURIComponent(trace), id: decodeURIComponent(id) };
}
