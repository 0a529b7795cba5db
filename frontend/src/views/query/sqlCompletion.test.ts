import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import type { SqlView } from '../../api/sql';
import { columnCompletion, columnsFor, keywordCompletion, schemaOf } from './sqlCompletion';

const view = (name: string, ...columns: string[]): SqlView => ({
  name,
  columns: columns.map((column) => ({ name: column, type: 'int8', unit: null })),
});

const VIEWS = [view('event', 't_ns', 'cpu'), view('latency', 't_ns', 'duration_ns'), view('call', 't_ns')];

const offered = async (text: string) => {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, false);
  const found = await columnCompletion(VIEWS)(context);
  return found?.options.map(({ label }) => label);
};

it('offers each column once, of the views that the statement names first', () => {
  expect(
    columnsFor(VIEWS, 'SELECT x FROM latency').map(({ label, detail, boost }) => [label, detail, boost]),
  ).toEqual([
    ['t_ns', 'latency', 99],
    ['cpu', 'event', 60],
    ['duration_ns', 'latency', 99],
  ]);
  expect(columnsFor(VIEWS, 'SELECT ')[0]?.detail).toBe('3 views');
});

it('offers columns where a name can be, and keywords where a statement begins', async () => {
  expect(await offered('SELECT dur')).toContain('duration_ns');
  expect(await offered('sel')).toBeUndefined();
  expect(await offered('SELECT 1; sel')).toBeUndefined();
  expect(await offered('SELECT ')).toBeUndefined();
});

it('ranks names of the schema before keywords', () => {
  const rank = schemaOf(VIEWS)['event']?.self.boost ?? 0;
  expect(rank).toBeGreaterThan(keywordCompletion('EVENT', 'keyword').boost ?? 0);
});
