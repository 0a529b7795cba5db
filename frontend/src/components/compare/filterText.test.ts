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

it('says why it keeps to a class that nobody chose', () => {
  const own = { cpu: undefined, comm: '', priority: ['real_time'] } as const;
  expect(filterText(own, false)).toBe('Only real-time tasks. These are what the traces measure.');
  expect(filterText({ ...own, cpu: 1, priority: [] }, false)).toBe('Only on CPU 1.');
});
