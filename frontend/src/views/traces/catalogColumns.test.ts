import { expect, test } from 'vitest';
import type { Trace } from '../../api/types';
import { TRACE } from '../../components/testing/trace.fixture';
import { catalogColumns } from './catalogColumns';

const nothing = () => undefined;

/** The columns among `ids` that have something to say of the trace. */
function filled(trace: Trace, ids: readonly string[]): readonly string[] {
  const columns = catalogColumns(nothing, nothing).filter(({ id }) => ids.includes(id));
  return columns.filter(({ cell }) => cell(trace) !== null).map(({ id }) => id);
}

const HISTOGRAM: Trace = {
  ...TRACE,
  is_measurement: true,
  time_origin: 'derived',
  duration_ns: 299,
};

test('bars of a histogram ran on no CPU, and have no length together', () => {
  expect(filled(TRACE, ['cpus', 'duration'])).toEqual(['cpus', 'duration']);
  expect(filled(HISTOGRAM, ['cpus', 'duration'])).toEqual([]);
  expect(filled({ ...HISTOGRAM, time_origin: 'recorded' }, ['cpus', 'duration'])).toEqual(['duration']);
});

test('without a recording of CPUs in sight there is no column of CPUs', () => {
  const cpus = catalogColumns(nothing, nothing).find(({ id }) => id === 'cpus');
  expect([cpus?.has?.(TRACE), cpus?.has?.(HISTOGRAM)]).toEqual([true, false]);
});
