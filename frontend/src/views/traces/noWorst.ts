import type { Trace } from '../../api/types';
import { durationText, groupDigits, ns } from '../../lib/ns';

type Facts = Pick<Trace, 'status' | 'worst' | 'is_measurement' | 'event_count' | 'call_count' | 'facts'>;

/** What a ready trace without a worst case holds instead; nothing where it has one, or where that is not known yet. */
export function noWorstText(trace: Facts): string | undefined {
  if (trace.status !== 'ready' || trace.worst !== null) return undefined;
  const [events, calls] = [trace.event_count ?? 0, trace.call_count ?? 0];
  if (trace.is_measurement) {
    const quantum = Number(trace.facts['quantum_ns']);
    const each = quantum > 0 ? ` in quanta of ${durationText(ns(quantum))}` : '';
    return `${counted(events, 'count')} of work${each}: no durations, so no worst case`;
  }
  const held = [events > 0 ? counted(events, 'event') : '', calls > 0 ? counted(calls, 'call') : '']
    .filter((one) => one !== '')
    .join(', ');
  return held === '' ? 'no events' : `${held}: no latency among them`;
}

const counted = (count: number, what: string) => `${groupDigits(count)} ${what}${count === 1 ? '' : 's'}`;
