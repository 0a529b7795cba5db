import { expect, it } from 'vitest';
import type { CompareRequest, OfferedMeasure } from '../../api/compare';
import { diffState, printRef } from '../../viewState/diff';
import { groupedBy, groupOf } from './caseGroups';

const asked = (part: Partial<CompareRequest>): CompareRequest => ({
  variants: [],
  kind: 'wakeup',
  key: null,
  cpu: undefined,
  comm: '',
  priority: [],
  strata: [],
  ...part,
});

const offered = (kind: string, key: string | null, variants = 2): OfferedMeasure => ({
  kind,
  key,
  variants,
  traces: 4,
  lateness: 'late',
  splits: [],
  measured_class: null,
  samples: 100,
});

const BY = { kind: 'wakeup', comm: 'rt', priority: ['deadline', 'real_time'] } as const;

const RAN = [{ what: 'cyclictest' }, { what: 'oslat' }, { what: null }];

it('takes the cases that are compared, or those of the program that measured', () => {
  expect(groupedBy(asked({ comm: 'rt' }), [], [])).toEqual({ kind: 'wakeup', comm: 'rt', priority: [] });
  expect(groupedBy(asked({ priority: ['fair'] }), [], [])?.priority).toEqual(['fair']);
  const measures = [
    offered('measured', null),
    offered('measured', 'cyclictest thread 0'),
    offered('measured', 'cyclictest thread 1'),
    offered('cyclic', null),
    offered('wakeup', null),
  ];
  expect(groupedBy(asked({ kind: 'measured' }), measures, RAN)).toEqual({
    kind: 'cyclic',
    comm: 'cyclictest',
    priority: [],
  });
  const two = [...measures, offered('measured', 'oslat CPU 1')];
  expect(groupedBy(asked({ kind: 'measured' }), two, RAN)).toEqual({
    kind: 'cyclic',
    comm: '',
    priority: [],
  });
  expect(groupedBy(asked({ kind: 'measured', key: 'oslat CPU 1' }), two, RAN)?.comm).toBe('oslat');
  // A file of columns says what it measured, and not by which program.
  expect(groupedBy(asked({ kind: 'measured' }), measures, [])?.comm).toBe('');
});

it('has none where no trace has such cases', () => {
  expect(groupedBy(asked({ kind: 'field', key: 'a.b' }), [], [])).toBeUndefined();
  expect(groupedBy(asked({ kind: 'measured' }), [offered('cyclic', null, 1)], [])).toBeUndefined();
});

it('names all traces of a variant, as the address of a comparison has them', () => {
  const traces = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'].map((id) => ({ id, name: id, labels: {} }));
  const side = groupOf({ name: 'after', traces, missing: [] }, BY, 1, 50_000);
  const text =
    'aaaaaaaaaaaa,bbbbbbbbbbbb/cases:wakeup;comm=rt;priority_class=deadline,real_time;cpu=1;min=50000ns';
  expect(side && printRef(side)).toBe(text);
  expect(diffState.read({ abnormal: text }).state.abnormal).toEqual(side);
  const empty = { name: 'none', traces: [], missing: [] };
  expect(groupOf(empty, { ...BY, comm: '' }, undefined, undefined)).toBeUndefined();
});
