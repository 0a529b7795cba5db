import { describe, expect, it, vi } from 'vitest';
import { ProblemError } from '../lib/problem';
import type { SentFile } from './sendFile';
import type { Trace } from './types';
import { UploadQueue, type UploadTransport } from './uploadQueue';

const file = (name: string): File => new File(['x'], name);
const trace = (id: string, status: Trace['status']): Trace => ({ id, status }) as Trace; // the queue looks at no other field

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** A queue whose outside world is moved by hand: `sends` and `watches` hold what is under way. */
function standIn() {
  const sends: {
    name: string;
    resolve: (sent: SentFile) => void;
    reject: (error: unknown) => void;
    signal: AbortSignal;
    unit: string | undefined;
  }[] = [];
  const watches: { id: string; final: (trace: Trace | undefined) => void; signal: AbortSignal }[] = [];
  const transport = {
    send: (sent: File, _onProgress: unknown, signal: AbortSignal, unit?: string) =>
      new Promise<SentFile>((resolve, reject) =>
        sends.push({ name: sent.name, resolve, reject, signal, unit }),
      ),
    watch: (id, _onProgress, final, signal) => void watches.push({ id, final, signal }),
    remove: vi.fn<UploadTransport['remove']>(() => Promise.resolve()),
    changed: vi.fn<UploadTransport['changed']>(),
  } satisfies UploadTransport;
  const queue = new UploadQueue(transport);
  const phases = () => queue.snapshot().map((upload) => `${upload.file.name} ${upload.phase}`);
  return { queue, sends, watches, transport, phases };
}

describe('the upload queue', () => {
  it('sends one after the other and reads two at a time', async () => {
    const { queue, sends, watches, phases } = standIn();
    queue.add(['a', 'b', 'c', 'd'].map(file));
    expect(phases()).toEqual(['a sending', 'b waiting', 'c waiting', 'd waiting']);
    for (const id of [0, 1, 2]) {
      sends[id]?.resolve({ trace: trace(`t${id}`, 'queued'), wasThere: false });
      await settle(); // oxlint-disable-line no-await-in-loop -- the next one is sent then
    }
    expect(phases()).toEqual(['a reading', 'b reading', 'c sent', 'd sending']);
    watches[0]?.final(trace('t0', 'ready'));
    expect(phases()).toEqual(['a ready', 'b reading', 'c reading', 'd sending']);
    watches[1]?.final(trace('t1', 'failed'));
    expect(phases()[1]).toBe('b unreadable');
  });

  it('sends the files of a drop in the order of their names', () => {
    const { queue, phases } = standIn();
    queue.add(['night-10', 'night-9', 'night-11'].map(file));
    queue.add([file('a')]);
    expect(phases()).toEqual(['night-9 sending', 'night-10 waiting', 'night-11 waiting', 'a waiting']);
  });

  it('sends bare numbers again with the unit that was missing', async () => {
    const { queue, sends } = standIn();
    queue.add([file('a')]);
    sends[0]?.reject(new ProblemError({ status: 415, code: 'unit_unknown', title: 'Not supported' }));
    await settle();
    queue.retry(1, 'us');
    expect(sends.map(({ unit }) => unit)).toEqual([undefined, 'us']);
  });

  it('shows a refusal and sends again on request', async () => {
    const { queue, sends, phases } = standIn();
    queue.add([file('a')]);
    sends[0]?.reject(new ProblemError({ status: 413, code: 'upload_too_large', title: 'Too large' }));
    await settle();
    expect(queue.snapshot()[0]).toMatchObject({ phase: 'refused', problem: { code: 'upload_too_large' } });
    queue.retry(1);
    expect(phases()).toEqual(['a sending']);
    sends[1]?.resolve({ trace: trace('t', 'ready'), wasThere: true });
    await settle();
    expect(queue.snapshot()[0]).toMatchObject({ phase: 'ready', wasThere: true });
  });

  it('stops sending when cancelled, and goes on with the next', () => {
    const { queue, sends, phases, transport } = standIn();
    queue.add(['a', 'b', 'c'].map(file));
    queue.cancel(1);
    expect(sends[0]?.signal.aborted).toBe(true);
    expect(phases()).toEqual(['b sending', 'c waiting']);
    expect(transport.remove).not.toHaveBeenCalled();
  });

  it('deletes on cancel only what this upload made', async () => {
    const { queue, sends, watches, transport } = standIn();
    queue.add(['new', 'old'].map(file));
    // The old one is sent first, by its name.
    sends[0]?.resolve({ trace: trace('old', 'parsing'), wasThere: true });
    await settle();
    sends[1]?.resolve({ trace: trace('new', 'parsing'), wasThere: false });
    await settle();
    queue.cancel(1);
    queue.cancel(2);
    expect(transport.remove.mock.calls).toEqual([['new']]);
    expect(watches.every((watch) => watch.signal.aborted)).toBe(true);
    expect(queue.snapshot()).toEqual([]);
  });

  it('forgets a trace that somebody deleted while it was read', async () => {
    const { queue, sends, watches } = standIn();
    queue.add([file('a')]);
    sends[0]?.resolve({ trace: trace('t', 'parsing'), wasThere: false });
    await settle();
    watches[0]?.final(undefined);
    expect(queue.snapshot()).toEqual([]);
  });
});
