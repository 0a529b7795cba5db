import { ProblemError, readProblem, UNREACHABLE } from '../lib/problem';
import { parseLanes } from './parseLanes';

const BASE = '/api/v1';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The JSON answer to a call of the API, `undefined` where the answer has no body. Throws a ProblemError. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await answerTo(path, 'application/json', options);
  const answer: unknown = await response.json().catch(() => undefined);
  return answer as T; // the server's types are checked where they are generated
}

/** The JSON answer to a call that answers with lanes, parsed between frames. Throws a ProblemError. */
export async function requestLanes<T>(path: string, options: RequestOptions): Promise<T> {
  const response = await answerTo(path, 'application/json', options);
  const text = await response.text().catch(() => {
    options.signal?.throwIfAborted();
    throw new ProblemError(UNREACHABLE);
  });
  const answer: unknown = await parseLanes(text, options.signal);
  return answer as T; // the server's types are checked where they are generated
}

/** The answer as the server wrote it, for calls that answer with text. Throws a ProblemError. */
export async function requestText(
  path: string,
  query: NonNullable<RequestOptions['query']>,
): Promise<string> {
  const response = await answerTo(path, 'text/plain', { query });
  return await response.text();
}

/** The answer to a call that answers with a file. Throws a ProblemError. */
export async function requestBlob(path: string, body: unknown, accept = '*/*'): Promise<Blob> {
  const response = await answerTo(path, accept, { method: 'POST', body });
  return await response.blob().catch(() => {
    throw new ProblemError(UNREACHABLE);
  });
}

/** Each line of an answer that is JSON line by line, as it comes. Throws a ProblemError, also where it breaks off. */
export async function requestLines(
  path: string,
  body: unknown,
  onLine: (line: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await answerTo(path, 'application/x-ndjson', { method: 'POST', body, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one piece comes after the other
    const piece = await reader?.read().catch(() => {
      signal.throwIfAborted();
      throw new ProblemError(UNREACHABLE);
    });
    if (piece === undefined || piece.done) return;
    const lines = `${rest}${piece.value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(JSON.parse(line));
  }
}

async function answerTo(path: string, accept: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', query = {}, body, signal } = options;
  const response = await fetch(apiUrl(path, query), {
    method,
    headers: { accept, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ProblemError(UNREACHABLE);
  });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  throw new ProblemError(readProblem(response.status, problem));
}

/** The address of a call of the API. Parameters without a value are left out; several values repeat the name. */
export function apiUrl(path: string, query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const one of typeof value === 'object' ? value : [value]) search.append(name, one.toString());
  }
  const text = search.toString();
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`;
}
