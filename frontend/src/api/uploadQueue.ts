import { problemOf, type Problem } from '../lib/problem';
import { watchProgress, type TraceProgress } from './progress';
import { sendFile, type SendProgress, type Unit } from './sendFile';
import { deleteTrace, isFinal, traceChanged } from './traces';
import type { Trace } from './types';

/**
 * The state of an upload: `waiting` for others to be sent, `sending`, `sent` and waiting for others to be
 * read, `reading`, `ready`; `refused` before there was a trace; `unreadable` once there is one that failed.
 */
export type UploadPhase = 'waiting' | 'sending' | 'sent' | 'reading' | 'ready' | 'refused' | 'unreadable';

export interface Upload {
  readonly key: number;
  readonly file: File;
  /** Of its numbers, where the file does not say it. */
  readonly unit?: Unit;
  readonly phase: UploadPhase;
  readonly sentBytes: number;
  /** The connection broke, and the upload will continue. */
  readonly isBroken?: boolean;
  readonly trace?: Trace;
  readonly wasThere?: boolean;
  readonly progress?: TraceProgress;
  readonly problem?: Problem;
}

/** The outside world of the queue, so that tests can stand in for it. */
export interface UploadTransport {
  readonly send: typeof sendFile;
  readonly watch: typeof watchProgress;
  readonly remove: (id: string) => Promise<void>;
  readonly changed: (trace: Trace) => void;
}

/** One after the other, so that the catalog and a trend by upload have them in their order. */
const SENT_AT_ONCE = 1;
/** Watched while they are read; the browser keeps connections for the page. */
const READ_AT_ONCE = 2;
/** Files of a drop come in any order: night 9 is sent before night 10. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

/** The uploads of this tab: they continue while the person looks at other views. */
export class UploadQueue {
  #uploads: readonly Upload[] = [];
  #nextKey = 1;
  readonly #stops = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  readonly #transport: UploadTransport;

  constructor(transport: UploadTransport) {
    this.#transport = transport;
  }

  readonly snapshot = (): readonly Upload[] => this.#uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Puts files into the queue, in the order of their names. */
  add(files: readonly File[]): void {
    const added = files
      .toSorted((one, other) => BY_NAME.compare(one.name, other.name))
      .map((file): Upload => ({ key: this.#nextKey++, file, phase: 'waiting', sentBytes: 0 }));
    this.#set([...this.#uploads, ...added]);
    this.#advance();
  }

  /** Sends a file again after a refusal, with the unit that was missing. */
  retry(key: number, unit?: Unit): void {
    this.#set(
      this.#uploads.map((upload) =>
        upload.key === key
          ? { key, file: upload.file, phase: 'waiting', sentBytes: 0, ...(unit && { unit }) }
          : upload,
      ),
    );
    this.#advance();
  }

  /** Stops an upload. A trace that this upload made and that is still being read is deleted with it. */
  cancel(key: number): void {
    const upload = this.#find(key);
    this.dismiss(key);
    const isUnread = upload?.phase === 'sent' || upload?.phase === 'reading';
    if (isUnread && upload.trace && upload.wasThere === false) {
      // Should the deletion fail, the trace stays in the catalog, where it can be seen and deleted again.
      void this.#transport.remove(upload.trace.id).catch(() => undefined);
    }
  }

  /** Takes an upload off the list; a trace that is there already stays and is read to its end. */
  dismiss(key: number): void {
    this.#stops.get(key)?.abort();
    this.#stops.delete(key);
    this.#set(this.#uploads.filter((upload) => upload.key !== key));
    this.#advance();
  }

  #advance(): void {
    this.#start('waiting', 'sending', SENT_AT_ONCE, (upload, signal) => void this.#send(upload, signal));
    this.#start('sent', 'reading', READ_AT_ONCE, (upload, signal) => this.#read(upload, signal));
  }

  #start(
    from: UploadPhase,
    to: UploadPhase,
    atOnce: number,
    run: (upload: Upload, signal: AbortSignal) => void,
  ): void {
    const busy = this.#uploads.filter((upload) => upload.phase === to).length;
    const next = this.#uploads.filter((upload) => upload.phase === from).slice(0, Math.max(0, atOnce - busy));
    for (const upload of next) {
      const stop = new AbortController();
      this.#stops.set(upload.key, stop);
      this.#change(upload.key, { phase: to });
      run(upload, stop.signal);
    }
  }

  async #send({ key, file, unit }: Upload, signal: AbortSignal): Promise<void> {
    const onProgress = (progress: SendProgress) => this.#change(key, progress);
    try {
      const sent = await this.#transport.send(file, onProgress, signal, unit);
      if (signal.aborted) return;
      this.#transport.changed(sent.trace);
      this.#change(key, { phase: 'sent', ...sent });
      if (isFinal(sent.trace)) this.#finish(key, sent.trace);
    } catch (error) {
      if (!signal.aborted) this.#change(key, { phase: 'refused', problem: problemOf(error) });
    }
    this.#advance();
  }

  #read({ key, trace }: Upload, signal: AbortSignal): void {
    if (!trace) return;
    this.#transport.watch(
      trace.id,
      (progress) => this.#change(key, { progress }),
      (final) => {
        if (final) {
          this.#finish(key, final);
          this.#transport.changed(final);
        } else {
          this.dismiss(key); // Somebody deleted the trace in the meantime.
        }
        this.#advance();
      },
      signal,
    );
  }

  #finish(key: number, trace: Trace): void {
    this.#change(key, { phase: trace.status === 'failed' ? 'unreadable' : 'ready', trace });
  }

  #find(key: number): Upload | undefined {
    return this.#uploads.find((upload) => upload.key === key);
  }

  #change(key: number, change: Partial<Upload>): void {
    this.#set(this.#uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}

export const uploadQueue = new UploadQueue({
  send: sendFile,
  watch: watchProgress,
  remove: deleteTrace,
  changed: traceChanged,
});
