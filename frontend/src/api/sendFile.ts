import { ProblemError, readProblem, UNREACHABLE } from '../lib/problem';
import { apiUrl } from './request';
import type { Trace } from './types';

/** What bare numbers may count. */
export const UNITS = ['ns', 'us', 'ms', 's'] as const;
export type Unit = (typeof UNITS)[number];

export interface SentFile {
  readonly trace: Trace;
  /** The same bytes had been uploaded before; no second trace was made. */
  readonly wasThere: boolean;
}

/**
 * Sends a file as the raw body of a request, streamed from disk. XMLHttpRequest and not fetch, because only
 * it reports how many bytes have gone out. Throws a ProblemError, or an AbortError after `signal`.
 */
export function sendFile(
  file: File,
  onSent: (sentBytes: number) => void,
  signal: AbortSignal,
  unit?: Unit,
): Promise<SentFile> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', apiUrl('/traces', { filename: file.name, ...(unit && { unit }) }));
    sending.setRequestHeader('accept', 'application/json');
    sending.setRequestHeader('content-type', 'application/octet-stream');
    sending.upload.addEventListener('progress', (event) => onSent(event.loaded));
    sending.addEventListener('load', () => {
      const answer = parseJson(sending.responseText);
      if (sending.status >= 200 && sending.status < 300) {
        resolve({ trace: answer as Trace, wasThere: sending.status === 200 }); // the server's types are checked where they are generated
      } else {
        reject(new ProblemError(readProblem(sending.status, answer)));
      }
    });
    sending.addEventListener('error', () => reject(new ProblemError(UNREACHABLE)));
    sending.addEventListener('abort', () =>
      reject(new DOMException('The upload was cancelled', 'AbortError')),
    );
    signal.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(file);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
