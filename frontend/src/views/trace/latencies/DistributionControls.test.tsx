// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { KINDS } from '../../../api/latencies.fixture';
import { measureOf } from '../../../lib/measure';
import { traceState } from '../../../viewState/trace';
import { DistributionControls } from './DistributionControls';

afterEach(cleanup);

it.each([
  ['ns', '50000', '50 µs', 'such as 50 us', '1.5 ms', 1_500_000],
  ['ticks', '50000', '50000', 'such as 50', '1500', 1_500],
  ['none', '50', '50', 'such as 50', '7', 7],
])('the width of a bar is said and typed in %s', (unit, bucket, shown, hint, typed, width) => {
  const [kind] = KINDS;
  if (kind === undefined) throw new Error('no kind');
  const setState = vi.fn<(part: object) => void>();
  render(
    <DistributionControls
      kind={kind}
      state={traceState.read({ bucket }).state}
      setState={setState}
      longest={100}
      measure={measureOf(unit)}
      form="histogram"
      hasScale
    />,
  );
  const field = screen.getByRole('textbox', { name: new RegExp(`${hint}$`) });
  expect(field).toHaveProperty('value', shown);
  fireEvent.blur(field, { target: { value: 'much' } });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  fireEvent.blur(field, { target: { value: typed } });
  expect(setState.mock.calls).toEqual([[{ bucket: width }]]);
});
