import { expect, it, vi } from 'vitest';
import { startPage, viewAt } from './startPage';

it.each([
  ['/', 'Traces'],
  ['/t/24sh5tesqht7', 'Overview'],
  ['/t/24sh5tesqht7/timeline', 'Timeline'],
  ['/t/24sh5tesqht7/cases/wakeup-9@1', 'Case'],
  ['/experiments', 'Experiments'],
  ['/experiments/isolated', 'Experiment'],
  ['/experiments/', undefined],
  ['/nowhere', undefined],
])('the script of %s is that of %s', (path, title) => expect(viewAt(path)?.title).toBe(title));

it('asks for the trace and the kinds at once, and for the lanes as soon as it knows how long they are', async () => {
  const asked: string[] = [];
  const trace = { id: '24sh5tesqht7', status: 'ready', duration_ns: 99 };
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json(url.endsWith('/catalog') ? { slice_kinds: [] } : trace));
  });
  startPage('/t/24sh5tesqht7/timeline');
  expect(asked).toEqual(['/api/v1/catalog', '/api/v1/traces/24sh5tesqht7']);
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[2]).toBe('/api/v1/traces/24sh5tesqht7/timeline?start=0&end=100&width=1200');
});
