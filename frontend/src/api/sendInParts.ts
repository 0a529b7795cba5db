import { mayPass, problemOf, ProblemError, readProblem, UNREACHABLE } from '../lib/problem';
import { readStored, store } from '../lib/stored';
import { apiUrl, request } from './request';
import { sendBody } from './sendBody';
import type { SendProgress, SentFile } from './sendFile';
import type { Trace } from './types';

const VERSION = { 'Tus-Resumable': '1.0.0' };
/** Longer in sum than the server waits for a connection that is dead. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000];
/** The offset is another one, or the connection that broke still holds the upload. */
const BUSY = 423;
const ASK_AGAIN = new Set([409, BUSY]);
const GONE = 404;

type OnProgress = (progress: SendProgress) => void;

/**
 * Sends a file so that it continues where the connection broke: at once, after *Try again*, or when the same
 * file is dropped on the page the next time. By the protocol of tus, 1.0.0. Throws a ProblemError, or an
 * AbortError after `signal`.
 */
export async function sendInParts(
  file: File,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<SentFile> {
  const upload = new PartialUpload(file, onProgress, signal);
  const ended = new AbortController();
  signal.addEventListener('abort', () => upload.forget(), { signal: ended.signal });
  try {
    return await attempts(upload, onProgress, signal);
  } finally {
    ended.abort();
  }
}

async function attempts(
  upload: PartialUpload,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<SentFile> {
  for (let attempt = 0; ; attempt += 1) {
    const before = upload.offset;
    try {
      return await upload.sendRest(); // oxlint-disable-line no-await-in-loop -- one attempt after the other
    } catch (error) {
      if (upload.offset > before) attempt = 0;
      const pause = PAUSES_MS[attempt];
      if (signal.aborted || pause === undefined || !upload.mayContinue(error)) throw error;
      onProgress({ sentBytes: Math.max(0, upload.offset), isBroken: true });
      await delay(pause, signal); // oxlint-disable-line no-await-in-loop -- as above
    }
  }
}

/** One upload. `offset` is how much the server had when it was last asked; -1 before that. */
class PartialUpload {
  offset = -1;
  readonly #file: File;
  readonly #onProgress: OnProgress;
  readonly #signal: AbortSignal;
  readonly #key: string;
  #url: string | undefined;

  constructor(file: File, onProgress: OnProgress, signal: AbortSignal) {
    this.#file = file;
    this.#onProgress = onProgress;
    this.#signal = signal;
    this.#key = `upload ${file.size} ${file.lastModified} ${file.name}`;
    this.#url = readStored(this.#key);
  }

  async sendRest(): Promise<SentFile> {
    this.#url ??= await this.#start();
    let answer: Headers = await headersOf('HEAD', this.#url, {}, this.#signal);
    this.offset = Number(answer.get('Upload-Offset'));
    if (!answer.has('Jitterscope-Trace')) answer = await this.#sendBytes(this.#url, this.offset);
    store(this.#key, undefined);
    const id = answer.get('Jitterscope-Trace') ?? '';
    const trace = await request<Trace>(`/traces/${encodeURIComponent(id)}`, { signal: this.#signal });
    return { trace, wasThere: answer.get('Jitterscope-Trace-New') === 'false' };
  }

  /** Whether another attempt may do better. */
  mayContinue(error: unknown): boolean {
    const problem = problemOf(error);
    if (problem.status === GONE && this.#url !== undefined) {
      // It has expired there.
      store(this.#key, undefined);
      this.#url = undefined;
      return true;
    }
    return error instanceof ProblemError && (mayPass(problem) || ASK_AGAIN.has(problem.status));
  }

  /** Nobody will continue it; should the server not hear of that, it expires there. */
  forget(): void {
    store(this.#key, undefined);
    if (this.#url !== undefined) void cancel(this.#url).catch(() => undefined);
  }

  async #start(): Promise<string> {
    const metadata = `filename ${base64(this.#file.name)}`;
    const headers = { 'Upload-Length': String(this.#file.size), 'Upload-Metadata': metadata };
    const answer = await headersOf('POST', apiUrl('/uploads'), headers, this.#signal);
    const url = answer.get('Location') ?? '';
    store(this.#key, url);
    return url;
  }

  async #sendBytes(url: string, offset: number): Promise<Headers> {
    const headers = {
      ...VERSION,
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    };
    const onSent = (sent: number) => this.#onProgress({ sentBytes: offset + sent, isBroken: false });
    const body = this.#file.slice(offset);
    return (await sendBody('PATCH', url, headers, body, onSent, this.#signal)).headers;
  }
}

async function headersOf(
  method: 'HEAD' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Headers> {
  const answer = await fetch(url, { method, headers: { ...VERSION, ...headers }, signal }).catch(
    (error: unknown) => {
      if (signal.aborted) throw error;
      throw new ProblemError(UNREACHABLE);
    },
  );
  if (answer.ok) return answer.headers;
  throw new ProblemError(readProblem(answer.status, await answer.json().catch(() => undefined)));
}

/** The connection that was cut holds the upload for another moment. */
async function cancel(url: string): Promise<void> {
  for (const pause of [0, ...PAUSES_MS]) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    await new Promise((resolve) => setTimeout(resolve, pause));
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { status } = await fetch(url, { method: 'DELETE', headers: VERSION });
    if (status !== BUSY) return;
  }
}

async function delay(pauseMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(new DOMException('The upload was cancelled', 'AbortError'));
      },
      { once: true },
    );
  });
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
