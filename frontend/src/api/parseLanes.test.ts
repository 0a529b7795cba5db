import { expect, test } from 'vitest';
import { parseLanes } from './parseLanes';

const lane = (id: string) => ({
  id,
  cpu: 0,
  task: { pid: 7, comm: 'a "b" }],{[' },
  t: Array.from({ length: 4_000 }, (_, index) => index),
  flags: null,
});
const answer = (more: object = {}) => ({
  start: 0,
  tasks: [{ pid: 7, comm: '"lanes":[{"id":"},{"id":"}]' }],
  lanes: Array.from({ length: 200 }, (_, index) => lane(`cpu${index}`)),
  counters: [{ name: 'cpu_frequency', value: [1, 2] }],
  notes: [],
  ...more,
});

test.each([
  ['many lanes', answer()],
  ['no lanes', answer({ lanes: [] })],
  ['one lane', { lanes: [{ id: 'one', t: Array.from({ length: 100_000 }, () => 1234567) }] }],
  ['lanes within something else', { lanes: [{ id: 'one', of: [{ a: 1 }, { id: 'x' }] }], more: answer() }],
  ['objects with an id after them', answer({ notes: [{ id: 1 }, { id: 2 }] })],
  ['something else', { events: answer() }],
])('an answer with %s is what JSON.parse makes of it', async (_, written) => {
  const text = JSON.stringify(written);
  expect(await parseLanes(text)).toEqual(JSON.parse(text));
});

test('what waits comes between two lanes', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const text = JSON.stringify(answer({ lanes: Array.from({ length: 3_000 }, () => lane('cpu0')) }));
  await parseLanes(text);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

test('an answer that nobody waits for any more is left', async () => {
  const text = JSON.stringify(answer({ lanes: Array.from({ length: 3_000 }, () => lane('cpu0')) }));
  await expect(parseLanes(text, AbortSignal.abort())).rejects.toThrow('abort');
});
