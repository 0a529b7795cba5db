// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { LatencyKind } from '../../../api/latencyTypes';
import { IncompleteNote } from './KindsWithout';

const kindWith = (...reasons: readonly string[]) =>
  ({
    kind: 'measured',
    count: 4,
    incomplete: reasons.map((reason) => ({ reason, count: 310, sentence: 'why' })),
  }) as unknown as LatencyKind;

it('says of values that a program only counts that they were counted', () => {
  const { rerender } = render(<IncompleteNote kinds={[kindWith('not_listed')]} />);
  expect(screen.getByText(/^310 more were counted, but not printed: percentiles/)).toBeTruthy();
  rerender(<IncompleteNote kinds={[kindWith('not_listed', 'no_end')]} />);
  expect(screen.getByText('620 more could not be measured')).toBeTruthy();
});
