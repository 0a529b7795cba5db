// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClockContext } from '../../components/clock/useClock';
import { FIXTURE } from '../../components/lanes/timeline.fixture';
import { clockOf } from '../../lib/clock';
import { LaneTable } from './LaneTable';

// jsdom knows no modal dialogs.
beforeEach(() => void (HTMLDialogElement.prototype.showModal = () => undefined));
afterEach(cleanup);

it.each([
  ['ns', ['lane', 'what', 'start (s)', 'duration (ns)', 'slices']],
  ['ticks', ['lane', 'what', 'start', 'duration (clock ticks)', 'slices']],
])('the slices of a clock in %s have columns in its unit', (unit, titles) => {
  render(
    <ClockContext value={clockOf(unit)}>
      <LaneTable
        name="t"
        lanes={[]}
        answer={FIXTURE}
        window={{ start: 0, end: 1 }}
        onClose={() => undefined}
      />
    </ClockContext>,
  );
  const heads = screen.getAllByRole('columnheader', { hidden: true });
  expect(heads.map(({ textContent }) => textContent)).toEqual(titles);
});
