import type { DiffSide } from '../../api/diffTypes';
import { callsState } from '../../viewState/calls';
import { caseState } from '../../viewState/case';
import { paths } from '../../viewState/paths';
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

/** Whether a side is a latency and not a call or a group of calls. */
export function isCase({ id }: Pick<DiffSide, 'id'>): boolean {
  return callsState.read({ call: id }).state.call === undefined && !id.startsWith('calls:');
}
