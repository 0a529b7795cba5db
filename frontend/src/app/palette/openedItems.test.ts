import { expect, test } from 'vitest';
import type { PaletteItem } from '../../components/palette/rankItems';
import { openedItems } from './openedItems';

const item = (kind: string, title: string): PaletteItem => ({
  id: `${kind} ${title}`,
  kind,
  title,
  run: () => undefined,
});

const many = (kind: string, count: number) =>
  Array.from({ length: count }, (_, at) => item(kind, `${at + 1}`));

test('begins with cases, pages and traces, and leaves nothing out', () => {
  const actions = [item('action', 'Zoom in'), item('page', 'Timeline'), item('page', 'Experiments')];
  const found = [...many('case', 5), item('task', 'cyclictest-372'), ...many('trace', 6)];
  const docs = [item('docs', 'Latencies')];
  const items = openedItems({ actions, found, docs, opened: new Set(['case 1', 'trace 2']) });
  expect(items.map(({ id }) => id)).toEqual([
    'case 2',
    'case 3',
    'case 4',
    'page Timeline',
    'page Experiments',
    'trace 1',
    'trace 3',
    'trace 4',
    'trace 5',
    'trace 6',
    'action Zoom in',
    'case 1',
    'case 5',
    'task cyclictest-372',
    'trace 2',
    'docs Latencies',
  ]);
});
