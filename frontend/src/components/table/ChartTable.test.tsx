// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exactIn, ns } from '../../lib/ns';
import { ChartTable, type ChartColumn } from './ChartTable';

// jsdom knows no modal dialogs.
beforeEach(() => void (HTMLDialogElement.prototype.showModal = () => undefined));
afterEach(cleanup);

it('reads a start before the first record with a minus, and a name as it is', () => {
  const columns: readonly ChartColumn<number>[] = [
    { title: 'what', cell: () => '-1 is a name' },
    { title: 'start (s)', isNumber: true, cell: (t) => exactIn(ns(t), 's') },
    { title: 'start (ns)', isNumber: true, cell: (t) => t },
  ];
  render(
    <ChartTable title="Slices" name="slices" columns={columns} rows={[-1500]} onClose={() => undefined} />,
  );
  const cells = screen.getAllByRole('cell', { hidden: true }).map(({ textContent }) => textContent);
  expect(cells).toEqual(['-1 is a name', '−0.0000015', '−1,500']);
  expect(screen.getByText('1 row')).toBeDefined();
});
