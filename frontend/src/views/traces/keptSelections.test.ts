import { expect, it } from 'vitest';
import { KeptSelections } from './keptSelections';
import { toggled, NOTHING, type Selection } from './selection';

class Storage {
  #text: string | null = null;
  getItem = () => this.#text;
  setItem = (_: string, text: string) => {
    this.#text = text;
  };
}

const MOST: Selection = { kind: 'matching', except: new Set(['b']), total: 9, asOf: '2026-01-01T00:00:00Z' };

it('finds what was selected again after the page was loaded anew', () => {
  const storage = new Storage();
  const before = new KeptSelections(storage);
  const some = { filter: 'rt\n', selection: toggled(NOTHING, 'a') };
  before.set('one', some);
  before.set('two', { filter: '\n', selection: MOST });
  before.set('three', { filter: '\n', selection: NOTHING });
  const after = new KeptSelections(storage);
  expect(after.get('one')).toEqual(some);
  expect(after.get('two')).toEqual({ filter: '\n', selection: MOST });
  expect(after.get('three')).toBeUndefined();
});

it.each([
  'no JSON',
  '{}',
  '[["one"]]',
  '[["one",{"filter":"","selection":{"kind":"some","ids":[1]}}]]',
  '[["one",{"filter":"","selection":{"kind":"matching","except":[]}}]]',
])('takes nothing from %s', (text) => {
  const storage = new Storage();
  storage.setItem('', text);
  expect(new KeptSelections(storage).get('one')).toBeUndefined();
});

it('keeps the selection of the page where nothing can be stored', () => {
  const full = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('full');
    },
  };
  const kept = new KeptSelections(full);
  kept.set('one', { filter: '', selection: MOST });
  expect(kept.get('one')?.selection).toBe(MOST);
});
