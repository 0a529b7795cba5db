import { expect, it } from 'vitest';
import { filterText } from './filterText';

const text = (part: Partial<Parameters<typeof filterText>[0]>) =>
  filterText({ cpu: undefined, comm: '', priority: [], ...part });

it('says which samples a comparison keeps to', () => {
  expect(text({})).toBeUndefined();
  expect(text({ cpu: 0 })).toBe('Only on CPU 0.');
  expect(text({ comm: 'sh' })).toBe('Only tasks named sh.');
  expect(text({ priority: ['deadline', 'real_time'], comm: 'sh', cpu: 1 })).toBe(
    'Only deadline and real-time tasks named sh, on CPU 1.',
  );
});
