/** Why something could not be done, fit to be shown: the RFC 9457 document of a refused request, or one like it. */
export interface Problem {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Stable word for the kind of refusal; the last part of the problem's type. */
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  /** What a person can do about it. */
  readonly remedy?: string;
  /** Character of a statement, from 1. */
  readonly position?: number;
  readonly line?: number;
  readonly byteOffset?: number;
  readonly excerpt?: string;
  readonly requestId?: string;
}

/** A request that came to nothing, with the reason fit for a person to read. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/** No answer at all: the server is down, or the network is. */
export const UNREACHABLE: Problem = {
  status: 0,
  code: 'unreachable',
  title: 'The server is not responding',
  detail: 'There was no reply. The server may be restarting, or the network may be down.',
};

/** The problem in an answer's body, or what its status says where the body is something else. */
export function readProblem(status: number, body: unknown): Problem {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}; // any object can be asked for its fields
  const line = wholeNumber(fields['line']);
  const position = wholeNumber(fields['position']);
  const byteOffset = wholeNumber(fields['byte_offset']);
  const detail = sentence(fields['detail']);
  const remedy = sentence(fields['remedy']);
  const excerpt = sentence(fields['excerpt']);
  const requestId = sentence(fields['request_id']);
  return {
    status,
    code: sentence(fields['code']) ?? sentence(fields['type'])?.split(/[/:#]/).at(-1) ?? `http_${status}`,
    title: sentence(fields['title']) ?? `The server returned status ${status}`,
    ...(detail !== undefined && { detail }),
    ...(remedy !== undefined && { remedy }),
    ...(position !== undefined && { position }),
    ...(line !== undefined && { line }),
    ...(byteOffset !== undefined && { byteOffset }),
    ...(excerpt !== undefined && { excerpt }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Any thrown thing as a problem to show. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { status: 0, code: 'page_error', title: 'Something went wrong on this page', detail };
}

/** True where the same request may well succeed later: the server was not there, busy, or out of room. */
export function mayPass({ status }: Problem): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

/** True where what was asked for is not there. */
export const isMissing = (error: Error | null): boolean => error !== null && problemOf(error).status === 404;

/** The problem with a thing that people can delete: what is not there may have been there when its link was shared. */
export function deletable(problem: Problem): Problem {
  return problem.status === 404 ? { ...problem, remedy: 'It may have been deleted.' } : problem;
}

/** Why a trace could not be read, as its own answer says. */
export interface ReadFailure {
  readonly code: string;
  readonly sentence: string;
  readonly line?: number | null;
  readonly byte_offset?: number | null;
  readonly excerpt?: string | null;
  readonly remedy?: string;
}

/** The failure of a trace as a problem, so that both are shown alike. */
export function problemOfTrace(failure: ReadFailure): Problem {
  const { code, sentence: detail, remedy = '', line, byte_offset: byteOffset, excerpt } = failure;
  return {
    status: 0,
    code,
    title: 'The file could not be read',
    detail,
    ...(remedy !== '' && { remedy }),
    ...(typeof line === 'number' && { line }),
    ...(typeof byteOffset === 'number' && { byteOffset }),
    ...(typeof excerpt === 'string' && { excerpt }),
  };
}

function sentence(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? Number(value) : undefined;
}
