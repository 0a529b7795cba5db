import { ProblemError, readProblem, UNREACHABLE } from '../lib/problem';

const BASE = '/api/v1';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | readonly number[] | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The JSON answer to a call of the API, `undefined` where the answer has no body. Throws a ProblemError. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { method = 'GET', query = {}, body, signal } = options;
  const response = await fetch(apiUrl(path, query), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ProblemError(UNREACHABLE);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ProblemError(readProblem(response.status, answer));
  return answer as T; // the server's types are checked where they are generated
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
