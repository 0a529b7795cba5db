import type { Upload } from '../../api/uploadQueue';
import { bytesText } from '../../lib/bytes';
import { countText, groupDigits } from '../../lib/ns';
import { progressWords } from '../../lib/progressWords';
import { visibleText } from '../../lib/visibleText';

/** What an upload is doing, in words, and how far it is (0 to 1, absent where it is not known). */
export interface UploadWords {
  readonly words: string;
  readonly ratio?: number;
}

export function uploadWords(upload: Upload): UploadWords {
  switch (upload.phase) {
    case 'waiting':
      return { words: 'waiting for the files before it' };
    case 'sending': {
      const ratio = upload.file.size > 0 ? Math.min(1, upload.sentBytes / upload.file.size) : 1;
      return { words: sendingWords(upload, ratio), ratio };
    }
    case 'sent':
      return { words: 'uploaded, waiting to be read' };
    case 'reading':
      return readingWords(upload);
    case 'ready':
      return { words: readyWords(upload), ratio: 1 };
    case 'refused':
      return { words: 'rejected' };
    case 'unreadable':
      return { words: 'could not be read' };
  }
}

function sendingWords({ sentBytes, file, isBroken }: Upload, ratio: number): string {
  if (ratio === 1) return 'sent, being stored';
  const sent = `sent ${bytesText(sentBytes)} of ${bytesText(file.size)}`;
  return isBroken === true ? `connection lost, ${sent}, trying again` : sent;
}

/** The same bytes under another name are found only by that name. */
function readyWords({ wasThere, trace, file }: Upload): string {
  if (wasThere !== true) return 'ready';
  const isNamedSo = !trace || file.name.startsWith(trace.name);
  return isNamedSo ? 'already here' : `already here as ${visibleText(trace.name)}`;
}

function readingWords({ progress }: Upload): UploadWords {
  if (!progress || progress.status === 'queued') return { words: 'waiting to be read' };
  return { words: progressWords(progress), ratio: progress.progress };
}

/** `405 files: 350 ready, 54 failed, 1 under way` */
export function uploadCounts(all: number, ready: number, failed: number): string {
  const parts: readonly (readonly [number, string])[] = [
    [ready, 'ready'],
    [failed, 'failed'],
    [all - ready - failed, 'in progress'],
  ];
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${groupDigits(count)} ${what}`);
  return `${countText(all, 'file')}: ${words.join(', ')}`;
}
