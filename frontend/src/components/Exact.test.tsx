// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ClockContext } from './clock/useClock';
import { clockOf } from '../lib/clock';
import { Exact } from './Exact';

afterEach(cleanup);

it.each([
  ['ns', 1_234_567, '1,234,567\u202fns'],
  ['ns', 800, ''],
  ['ticks', 800, 'clock ticks'],
])('beside a duration of a clock in %s, %i is %s', (unit, value, text) => {
  const { container } = render(
    <ClockContext value={clockOf(unit)}>
      <Exact value={value} />
    </ClockContext>,
  );
  expect(container.textContent).toBe(text);
});
