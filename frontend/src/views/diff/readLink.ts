import { callsState } from '../../viewState/calls';
import { diffState, type DiffRef } from '../../viewState/diff';
import { parseSearch } from '../../viewState/search';

/** The call or case that a pasted link leads to, or that is written as `<trace>/<call or case>`. */
export function readLink(text: string): DiffRef | undefined {
  const pasted = text.trim();
  const url = URL.canParse(pasted) ? new URL(pasted) : undefined;
  if (url === undefined) return diffState.read({ abnormal: pasted }).state.abnormal;
  const [, trace, page, caseId] = /^\/t\/([^/]+)\/(calls|cases)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
  const id = page === 'cases' ? decoded(caseId ?? '') : callsState.read(parseSearch(url.search)).state.call;
  return diffState.read({ abnormal: `${trace ?? ''}/${id ?? ''}` }).state.abnormal;
}

/** What is left of a link that was cut in the middle of a character may not be readable. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
