import type { FunctionStat, Trace } from '../../api/types';
import { frameWindow } from '../../components/chart/timeWindow';
import { ns, type Ns } from '../../lib/ns';
import type { CallsState } from '../../viewState/calls';

/** The number of calls that can be told apart on a screen; more are a texture. */
const READABLE_CALLS = 200;

/** Whether the page would show the whole of a trace that is too much for one screen, and that was not chosen. */
export function wantsOpeningCall(
  { call_count }: Pick<Trace, 'call_count'>,
  { show, window, call, cpu, pid }: Pick<CallsState, 'show' | 'window' | 'call' | 'cpu' | 'pid'>,
): boolean {
  const isWhole = window === undefined && cpu.length === 0 && pid.length === 0;
  return show === 'chart' && isWhole && call === undefined && (call_count ?? 0) > READABLE_CALLS;
}

/** The call that the page opens on by itself. */
export interface OpeningCall {
  readonly id: string;
  readonly symbol: string;
  /** The call and a little around it. */
  readonly window: { readonly start: Ns; readonly end: Ns };
  /** Functions with a longer total were passed over, because their slowest calls do not fit on a screen. */
  readonly isFirst: boolean;
}

/** Calls of one task may overlap with those of others on its CPU: its own rows show them apart. */
export const rowsFor = (call: string): CallsState['by'] => (call.startsWith('call-cpu') ? 'cpu' : 'task');

/** A call of more of the trace than this is as unreadable as all of it: a task that slept, or the idle loop. */
const MOST_OF_TRACE = 0.1;

/** The slowest call of the first of these functions whose slowest call was recorded whole and fits on a screen. */
export function openingCallOf(
  functions: readonly Pick<FunctionStat, 'symbol' | 'max_ns' | 'slowest'>[],
  durationNs: number,
): OpeningCall | undefined {
  for (const [index, { symbol, max_ns, slowest }] of functions.entries()) {
    if (slowest.t >= 0 && max_ns <= durationNs * MOST_OF_TRACE) {
      const { start, end } = frameWindow(slowest.t, slowest.t + max_ns, { start: 0, end: durationNs + 1 });
      const window = { start: ns(Math.round(start)), end: ns(Math.round(end)) };
      return { id: slowest.id, symbol, window, isFirst: index === 0 };
    }
  }
  return undefined;
}
