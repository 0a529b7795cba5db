// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ComparedCause } from '../../api/compare';
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
  const columns = causeColumns<ComparedCause>([], { id: 'cpu', title: 'CPU', cell: ({ cpu }) => cpu });
  const delta = columns.find(({ id }) => id === 'delta');
  const { container } = render(<>{delta?.cell(TICK)}</>);
  expect(container.textContent).toBe('+5.88\u202fpp−4.41 to +7.60\u202fpp');
});
