import { ProblemError, readProblem, UNREACHABLE } from '../lib/problem';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` where it has no JSON. */
  readonly body: unknown;
}

/**
 * The answer to a request whose body is streamed from disk. XMLHttpRequest and not fetch, because only it
 * reports how many bytes have gone out. Throws a ProblemError, or an AbortError after `signal`.
 */
export function sendBody(
  method: 'POST' | 'PATCH',
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Blob,
  onSent: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open(method, url);
    sending.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.addEventListener('progress', (event) => onSent(event.loaded));
    sending.addEventListener('load', () => {
      const answer = parsedJson(sending.responseText);
      if (sending.status >= 200 && sending.status < 300) {
        resolve({ status: sending.status, headers: headersOf(sending), body: answer });
      } else {
        reject(new ProblemError(readProblem(sending.status, answer)));
      }
    });
    sending.addEventListener('error', () => reject(new ProblemError(UNREACHABLE)));
    sending.addEventListener('abort', () =>
      reject(new DOMException('The upload was cancelled', 'AbortError')),
    );
    signal.addEventListener('abort', () => sending.abort(), { once: true });
    sending.send(body);
  });
}

function headersOf(sending: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of sending.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    if (name !== '') headers.append(name, value);
  }
  return headers;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
