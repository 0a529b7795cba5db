import { expect, test } from 'vitest';
import { referenceUrl } from './referenceUrl';

test.each([
  ['Documentation/filesystems/proc.rst', 'https://docs.kernel.org/filesystems/proc.html'],
  ['Documentation/timers/no_hz.rst', 'https://docs.kernel.org/timers/no_hz.html'],
  ['Documentation/trace/events.txt', undefined],
  ['Documentation/../../etc/passwd.rst', undefined],
  ['javascript:alert(1)//Documentation/a.rst', undefined],
  ['sched(7)', undefined],
])('%s is read at %s', (reference, url) => {
  expect(referenceUrl(reference)).toBe(url);
});
