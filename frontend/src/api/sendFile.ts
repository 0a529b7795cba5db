import { apiUrl } from './request';
import { sendBody } from './sendBody';
import type { Trace } from './types';

/** What bare numbers may count. */
export const UNITS = ['ns', 'us', 'ms', 's'] as const;
export type Unit = (typeof UNITS)[number];

export interface SentFile {
  readonly trace: Trace;
  /** The same bytes had been uploaded before; no second trace was made. */
  readonly wasThere: boolean;
}

export interface SendProgress {
  readonly sentBytes: number;
  /** The connection broke, and the upload will continue. */
  readonly isBroken: boolean;
}

/** Less is sent again in a moment. */
const RESUMABLE_BYTES = 16 * 1024 * 1024;

/**
 * Sends a file; a big one in parts, unless it is sent again with its unit. Throws a ProblemError, or an
 * AbortError after `signal`.
 */
export async function sendFile(
  file: File,
  onProgress: (progress: SendProgress) => void,
  signal: AbortSignal,
  unit?: Unit,
): Promise<SentFile> {
  if (file.size < RESUMABLE_BYTES || unit) return await sendWhole(file, onProgress, signal, unit);
  const { sendInParts } = await import('./sendInParts');
  return await sendInParts(file, onProgress, signal);
}

async function sendWhole(
  file: File,
  onProgress: (progress: SendProgress) => void,
  signal: AbortSignal,
  unit?: Unit,
): Promise<SentFile> {
  const url = apiUrl('/traces', { filename: file.name, ...(unit && { unit }) });
  const headers = { 'Content-Type': 'application/octet-stream' };
  const onSent = (sentBytes: number) => onProgress({ sentBytes, isBroken: false });
  const { status, body } = await sendBody('POST', url, headers, file, onSent, signal);
  return { trace: body as Trace, wasThere: status === 200 }; // the server's types are checked where they are generated
}
