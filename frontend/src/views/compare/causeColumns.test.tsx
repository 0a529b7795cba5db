// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ComparedCause } from '../../api/compare';
import { clockOf } from '../../lib/clock';
import { causeColumns } from './causeColumns';

afterEach(cleanup);

const TICK: ComparedCause = {
  variant: 'after',
  cpu: 0,
  cause: 'tick',
  what: null,
  from_per_s: 160,
  to_per_s: 1001,
  from_share: 0.064,
  to_share: 0.1228,
  from_mean_ns: 400_000,
  to_mean_ns: 123_000,
  from_max_ns: 500_000,
  to_max_ns: 200_000,
  is_real: true,
  interval: [-0.0441, 0.076],
};

it('says differences of shares in percentage points', () => {
  expect(textOf('delta', TICK)).toBe('+5.88\u202fpp−4.41 to +7.60\u202fpp');
});

it('never says that something is zero which is not', () => {
  const little: ComparedCause = { ...TICK, from_share: 0, to_share: 0.000_003, interval: [-0.000_001, 0] };
  expect(textOf('delta', little)).toBe('+<\u202f0.01\u202fpp−<\u202f0.01 to 0\u202fpp');
  expect([textOf('from_share', little), textOf('to_share', little)]).toEqual(['–', '<\u202f0.01\u202f%']);
});

it('has no rates where nobody knows how long a second is', () => {
  const ids = columnsOn('ticks').map(({ id }) => id);
  expect(ids).not.toContain('from_per_s');
  expect(columnsOn('ticks').map(({ title }) => title)).toContain(': mean, ticks');
  expect(columnsOn('ns').map(({ id }) => id)).toContain('from_per_s');
});

const columnsOn = (unit: string) =>
  causeColumns<ComparedCause>([], { id: 'cpu', title: 'CPU', cell: ({ cpu }) => cpu }, clockOf(unit));

/** What the cell of a cause in a column says. */
function textOf(id: string, cause: ComparedCause): string | null {
  return render(
    <>
      {columnsOn('ns')
        .find((column) => column.id === id)
        ?.cell(cause)}
    </>,
  ).container.textContent;
}
