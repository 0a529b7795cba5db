import { useEffect, useState } from 'react';
import { problemOf } from '../lib/problem';
import { apiUrl, request } from './request';
import { isFinal, traceChanged } from './traces';
import type { Trace } from './types';

/** How far the server is with reading a trace: data of an event stream, which the API's description cannot type. */
export interface TraceProgress {
  readonly status: Trace['status'];
  readonly stage: string | null;
  /** 0 to 1. */
  readonly progress: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly events: number;
}

const RETRY_MS = 2000;

/**
 * Reports how far the reading of a trace is, and once its final state, by server-sent events. Continues over
 * lost connections until the trace is final or gone, or `signal` says stop.
 */
export function watchProgress(
  id: string,
  onProgress: (progress: TraceProgress) => void,
  onFinal: (trace: Trace | undefined) => void,
  signal: AbortSignal,
): void {
  const path = `/traces/${encodeURIComponent(id)}`;
  const events = new EventSource(apiUrl(`${path}/progress`));
  signal.addEventListener('abort', () => events.close(), { once: true });

  const settle = async () => {
    events.close();
    const answer = await request<Trace>(path, { signal }).catch(problemOf);
    if (signal.aborted) return;
    const trace = 'id' in answer ? answer : undefined;
    const isGone = 'code' in answer && answer.status === 404;
    if (!isGone && !(trace && isFinal(trace))) {
      window.setTimeout(() => {
        if (!signal.aborted) watchProgress(id, onProgress, onFinal, signal);
      }, RETRY_MS);
    } else {
      onFinal(trace);
    }
  };
  events.addEventListener('progress', (event: MessageEvent<string>) => {
    onProgress(JSON.parse(event.data) as TraceProgress); // written by our own server
  });
  for (const last of ['done', 'deleted']) events.addEventListener(last, () => void settle());
  events.addEventListener('error', () => {
    // The browser reconnects by itself unless the server answered with a refusal.
    if (events.readyState === EventSource.CLOSED) void settle();
  });
}

/** How far the reading of a trace is, live, while `isReading`; the query of the trace is told when it is over. */
export function useTraceProgress(id: string, isReading: boolean): TraceProgress | undefined {
  const [progress, setProgress] = useState<TraceProgress | undefined>();
  useEffect(() => {
    if (!isReading) return undefined;
    const stop = new AbortController();
    watchProgress(
      id,
      setProgress,
      (trace) => {
        if (trace) traceChanged(trace);
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [id, isReading]);
  return isReading ? progress : undefined;
}
