import { expect, it } from 'vitest';
import { uploadCounts } from './uploadWords';

it('counts files by how far they are', () => {
  expect(uploadCounts(1405, 1350, 54)).toBe('1,405 files: 1,350 ready, 54 failed, 1 in progress');
  expect(uploadCounts(2, 2, 0)).toBe('2 files: 2 ready');
});
