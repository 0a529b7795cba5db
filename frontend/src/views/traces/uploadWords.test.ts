import { expect, it } from 'vitest';
import { uploadCounts, uploadWords } from './uploadWords';

it('counts files by how far they are', () => {
  expect(uploadCounts(1405, 1350, 54)).toBe('1,405 files: 1,350 ready, 54 failed, 1 in progress');
  expect(uploadCounts(2, 2, 0)).toBe('2 files: 2 ready');
});

it('says that an upload is tried again', () => {
  const file = { size: 4 * 1024 * 1024 } as File; // its size is all that is asked of it
  const upload = { key: 1, file, phase: 'sending', sentBytes: 1024 * 1024 } as const;
  expect(uploadWords(upload).words).toBe('sent 1.00\u202fMiB of 4.00\u202fMiB');
  expect(uploadWords({ ...upload, isBroken: true })).toEqual({
    words: 'connection lost, sent 1.00\u202fMiB of 4.00\u202fMiB, trying again',
    ratio: 0.25,
  });
});
