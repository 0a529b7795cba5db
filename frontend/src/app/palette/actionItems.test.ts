import { expect, test } from 'vitest';
import { actionItems, PAGES } from './actionItems';

const nothing = () => undefined;

test('everything that a page has in its table of keys can be done, the nearest first', () => {
  const items = actionItems(
    [
      {
        title: 'Everywhere',
        bindings: [
          { keys: ['Mod+k'], does: 'Open the palette', run: nothing },
          { keys: ['h', 'H'], does: 'Switch between dark and light', run: nothing },
        ],
      },
      { title: PAGES, bindings: [{ keys: [], does: 'Experiments', run: nothing }] },
      { title: 'List', bindings: [{ keys: ['Enter'], does: 'Open the row' }] },
      { title: 'Timeline', bindings: [{ keys: ['w'], does: 'Zoom in', run: nothing }] },
    ],
    'Mod+k',
  );
  expect(items.map(({ kind, title, note, keys }) => [kind, title, note, keys])).toEqual([
    ['action', 'Zoom in', 'Timeline', ['w']],
    ['page', 'Experiments', undefined, []],
    ['action', 'Switch between dark and light', 'Everywhere', ['h', 'H']],
  ]);
});
