import { describe, expect, it } from 'vitest';
import type { CompareRequest, OfferedMeasure } from '../../api/compare';
import { tracedRequest } from './traced';

const asked: CompareRequest = {
  variants: [{ name: 'idle', traces: ['t'] }],
  kind: 'measured',
  key: 'sleeper',
  cpu: 1,
  comm: '',
  priority: [],
  strata: ['word:2', 'cpu'],
};
const offered = (kind: string, lateness: OfferedMeasure['lateness'], splits: string[]): OfferedMeasure => ({
  kind,
  lateness,
  splits,
  measured_class: null,
  key: null,
  variants: 1,
  traces: 1,
  samples: 1,
});
const wakeup = offered('wakeup', 'late', ['cpu', 'sleep']);
const files = offered('measured', 'measured', ['cpu', 'key']);
const both = [files, wakeup, offered('cyclic', 'measured', ['cpu', 'sleep'])];

describe('the same table by the traces of the runs', () => {
  it('asks for the sleeps that the traces recorded, split in the same way', () => {
    expect(tracedRequest(asked, both)).toEqual({ ...asked, kind: 'cyclic', key: null });
  });

  it.each([
    ['without traces of sleeps', asked, [files, wakeup]],
    ['where the numbers are those of traces', { ...asked, kind: 'cyclic', key: null }, both],
    ['without a table', { ...asked, strata: [] }, both],
    ['split by sources, which traces do not have', { ...asked, strata: ['key'] }, both],
  ])('asks for nothing %s', (_, request, measures) => {
    expect(tracedRequest(request, measures)).toBeUndefined();
  });
});
