import { expect, test } from 'vitest';
import { distinctNames, splitsOf, withBaseline, wordsApart, type Comparable } from './variants';

const trace = (name: string, labels: Record<string, string> = {}): Comparable => ({
  id: `#${name}`,
  name,
  labels,
});

const shape = (traces: readonly Comparable[]) =>
  splitsOf(traces).map(({ title, variants }) => [
    title,
    ...variants.map((one) => `${one.name} ${one.traces.length}`),
  ]);

test('a label that groups the traces comes first, what it is compared with first of all', () => {
  const traces = [
    trace('a', { isolated: 'yes', run: '1' }),
    trace('b', { isolated: 'no', run: '2' }),
    trace('c', { isolated: 'yes', run: '3' }),
    trace('d', { isolated: 'no', run: '4' }),
  ];
  expect(shape(traces)).toEqual([
    ['label isolated: no, yes', 'isolated=no 2', 'isolated=yes 2'],
    ['each trace', 'a 1', 'b 1', 'c 1', 'd 1'],
    ['all together', 'all 4'],
  ]);
});

test('no traces are parted in no way', () => {
  expect(splitsOf([])).toEqual([]);
});

test('without labels, the word of the names that makes the fewest groups', () => {
  const traces = ['before', 'after'].flatMap((side) =>
    ['01', '02', '03'].map((run) => trace(`cyc-run${run}-6.12-rt-${side}.cyclictest`)),
  );
  expect(shape(traces).slice(0, 2)).toEqual([
    ['name: before, after', 'before 3', 'after 3'],
    ['name: run01, run02, run03', 'run01 2', 'run02 2', 'run03 2'],
  ]);
});

test('sleep lengths are in the order of their length, idle before load', () => {
  const traces = ['1s', '10ms', '100ms', '1ms'].flatMap((sleep) =>
    ['load', 'idle'].map((load) => trace(`sleep-${sleep}-${load}-6.12`)),
  );
  expect(shape(traces).slice(0, 2)).toEqual([
    ['name: idle, load', 'idle 4', 'load 4'],
    ['name: 1ms, 10ms, 100ms, 1s', '1ms 2', '10ms 2', '100ms 2', '1s 2'],
  ]);
});

test.each([
  [
    ['run-slow', 'run-normal'],
    ['normal', 'slow'],
  ],
  [
    ['Slow timer interrupt', 'Normal timer interrupt'],
    ['Normal', 'Slow'],
  ],
  [
    ['6.12-rt-patched', '6.12-rt-vanilla'],
    ['vanilla', 'patched'],
  ],
  [
    ['hz1000 after', 'hz1000 other'],
    ['other', 'after'],
  ],
])('the baseline is what its name says, whichever came first: %s', (names, expected) => {
  const [first] = splitsOf(names.map((name) => trace(name)));
  expect(first?.variants.map(({ name }) => name)).toEqual(expected);
});

test('without any such word, the order is that of the names, not that of the uploads', () => {
  const each = splitsOf(['b2', 'b10', 'a'].map((name) => trace(name))).find(
    ({ title }) => title === 'each trace',
  );
  expect(each?.variants.map(({ name }) => name)).toEqual(['a', 'b2', 'b10']);
});

test('another baseline comes first, and the others keep their order', () => {
  const variants = ['a', 'b', 'c'].map((name) => ({ name, traces: [name] }));
  expect(withBaseline(variants, 'c').map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  expect(withBaseline(variants, 'x')).toEqual(variants);
});

test('traces without a label are a group of their own', () => {
  const traces = [trace('a', { load: 'none' }), trace('b', { load: 'none' }), trace('c')];
  expect(shape(traces)[0]).toEqual(['label load: none, no load', 'none 2', 'no load 1']);
});

test('a label that all have comes before one that some lack, and values that say nothing go by its name', () => {
  const traces = ['1', '2'].flatMap((run) => [
    trace(`a${run}`, { setup: 'before', run }),
    trace(`b${run}`, { isolated: '1', setup: 'after', run }),
  ]);
  expect(shape(traces).slice(0, 3)).toEqual([
    ['label setup: before, after', 'before 2', 'after 2'],
    ['label run: 1, 2', 'run=1 2', 'run=2 2'],
    ['label isolated: no isolated, 1', 'no isolated 2', 'isolated=1 2'],
  ]);
});

test('two traces are compared with each other, one with nothing', () => {
  expect(shape([trace('old-kernel'), trace('new-kernel')])[0]).toEqual(['name: old, new', 'old 1', 'new 1']);
  expect(shape([trace('alone')])).toEqual([['all together', 'all 1']]);
});

test('a file of measurements and the trace of its run are one variant, unless parted by hand', () => {
  const pair = ['cyclic-6.12-rt.cyclictest', 'cyclic-6.12-rt'].map((name) => trace(name));
  expect(shape(pair)).toEqual([
    ['one run', 'cyclic-6.12-rt 2'],
    ['each trace', 'cyclic-6.12-rt 1', 'cyclic-6.12-rt.cyclictest 1'],
  ]);
  const kinds = { program: 'cyclictest' };
  expect(shape([trace('a', kinds), trace('a.samples.tsv')])[0]).toEqual(['one run', 'a 2']);
  expect(shape([trace('kernel-6'), trace('kernel-6.12')])[0]?.[0]).not.toBe('one run');
  expect(shape([trace('same'), trace('same')])[0]?.[0]).not.toBe('one run');
});

test('ties between files part nothing, however many there are', () => {
  const names = ['1ms', '10ms'].flatMap((sleep) => ['idle', 'load'].map((load) => `sleep-${sleep}-${load}`));
  const traces = names.flatMap((name) => [trace(name), trace(`${name}.samples.tsv`)]);
  for (const count of [1, 2, 3, 4]) {
    const isTied = new Set(names.slice(0, count).map((name) => `${name}.samples.tsv`));
    const tied = traces.map((one) => {
      const of = `#${one.name.replace('.samples.tsv', '')}`;
      return isTied.has(one.name) ? { ...one, labels: { with: of } } : one;
    });
    expect(splitsOf(tied)).toEqual(splitsOf(traces));
  }
});

test('a tied file is in the variant of its trace', () => {
  const traces = ['a', 'b'].flatMap((name, at) => [
    trace(name, { load: at === 0 ? 'none' : 'heavy' }),
    trace(`${name}.samples.tsv`, { with: `#${name}` }),
  ]);
  expect(shape(traces)[0]).toEqual(['label load: none, heavy', 'none 2', 'heavy 2']);
});

test('too many to be variants of their own are one', () => {
  const traces = Array.from({ length: 30 }, (_, at) => trace(`run${at}`));
  expect(shape(traces)).toEqual([['all together', 'all 30']]);
});

test('variants of one name are numbered', () => {
  const named = distinctNames([
    { name: 'x', traces: ['1'] },
    { name: 'x', traces: ['2'] },
    { name: 'x', traces: ['3'] },
  ]);
  expect(named.map(({ name }) => name)).toEqual(['x', 'x (2)', 'x (3)']);
});

test('a few kinds of runs of which not all pairs exist are parted by all their words', () => {
  const traces = ['hz1000-ic', 'hz250-ic', 'hz1000-nohzic'].flatMap((kind) =>
    ['', '.counts'].map((ending) => trace(`ftq-tick-1ms-6.12-${kind}${ending}`)),
  );
  expect(shape(traces)[0]).toEqual([
    'names: hz250 ic, hz1000 ic, hz1000 nohzic',
    'hz250 ic 2',
    'hz1000 ic 2',
    'hz1000 nohzic 2',
  ]);
});

test('words in which names differ are counted from one, whichever names have them', () => {
  const traces = ['sleep-10ms-idle', 'sleep-1s-idle.samples', 'sleep-1ms-load'].map((name) => trace(name));
  expect(wordsApart(traces)).toEqual([
    [2, '1ms, 10ms, 1s'],
    [3, 'idle, load'],
  ]);
  expect(wordsApart([])).toEqual([]);
});
