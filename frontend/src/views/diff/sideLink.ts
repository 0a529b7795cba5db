import type { DiffSide } from '../../api/diff';
import { callsState } from '../../viewState/calls';
import { caseState } from '../../viewState/case';
import { type DiffRef, diffState } from '../../viewState/diff';
import { paths } from '../../viewState/paths';
import { parseSearch } from '../../viewState/search';
import type { RawSearch } from '../../viewState/viewSpec';

interface PageLink {
  readonly to: string;
  readonly search: RawSearch;
}

/** The page of a side: a call in its flame chart, the calls of a group, or a case. */
export function sideLink({ trace, id }: Pick<DiffSide, 'trace' | 'id'>): PageLink {
  const { state } = callsState.read({ call: id });
  if (state.call !== undefined) return { to: paths.calls(trace), search: callsState.write(state) };
  const [, symbol] = /^calls:([^;]+)/.exec(id) ?? [];
  if (symbol !== undefined) {
    const search = callsState.write({ ...state, show: 'functions', q: symbol.slice(0, 200) });
    return { to: paths.calls(trace), search };
  }
  return { to: paths.case(trace, id), search: caseState.write(caseState.read({}).state) };
}

/** Whether a side is a case, whose task the timeline can show around it. */
export function isCase(side: Pick<DiffSide, 'trace' | 'id'>): boolean {
  return sideLink(side).to === paths.case(side.trace, side.id);
}

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
