import { renderToStaticMarkup } from 'react-dom/server';
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

/** What a column says of the trace. */
function said(trace: Trace, id: string): string {
  const column = catalogColumns(nothing, nothing).find((one) => one.id === id);
  return renderToStaticMarkup(column?.cell(trace)).replaceAll(/<[^>]*>/g, '');
}

test('the worst case is in steps of a clock that counts, as its sentence is', () => {
  const worst = {
    id: null,
    kind: 'wakeup',
    duration_ns: 16_269_768,
    cpu: 1,
    headline: 'late',
    ruler: null,
  };
  expect(said({ ...TRACE, worst, time_unit: 'ticks' }, 'worst')).toBe('16,269,768 clock ticks');
  expect(said({ ...TRACE, worst, time_unit: 'ns' }, 'worst')).toBe('16.270\u202fms');
});

test('a file that could not be read says why, and what to do', () => {
  const error = {
    code: 'size_past_eof',
    class: 'truncated',
    sentence: 'The file ends at byte 500.',
    line: null,
    byte_offset: 500,
    excerpt: '',
    remedy: 'Copy it again.',
  } as const;
  const failed: Trace = { ...TRACE, status: 'failed', worst: null, error };
  expect(said(failed, 'why')).toBe('The file ends at byte 500. Copy it again.');
  expect(
    catalogColumns(nothing, nothing)
      .find(({ id }) => id === 'why')
      ?.has?.(failed),
  ).toBe(true);
});
