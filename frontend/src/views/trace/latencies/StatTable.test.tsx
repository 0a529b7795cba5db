// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, it } from 'vitest';
import { group } from '../../../api/latencies.fixture';
import { renderPage } from '../../../components/testing/renderPage';
import { measureOf } from '../../../lib/measure';
import type { DistributionForm } from '../../../viewState/trace';
import { StatTable } from './StatTable';

afterEach(cleanup);

/** The names in the first column of as many groups, each slower than the one before, and whether they have a colour. */
async function rowsOf(count: number) {
  return rowsOfGroups(
    Array.from({ length: count }, (_, at) => group(`CPU ${at}`, [1_000, 2_000 * (at + 1)])),
  );
}

async function rowsOfGroups(
  groups: ComponentProps<typeof StatTable>['groups'],
  form: DistributionForm = 'histogram',
) {
  renderPage(
    <StatTable
      traceId="gq3tqmzqmjrd"
      groups={groups}
      form={form}
      measure={measureOf('ns')}
      chosen={undefined}
      onChoose={() => undefined}
    />,
    { at: '/t/gq3tqmzqmjrd', answers: {} },
  );
  const [, ...rows] = within(await screen.findByRole('table', { name: 'Statistics' })).getAllByRole('row');
  return rows.map((row) => {
    const swatch = row.querySelector<HTMLElement>('[aria-hidden]');
    return { name: swatch?.parentElement?.textContent, isDrawn: swatch?.style.backgroundColor !== '' };
  });
}

it('lists the groups that are drawn first, each with the colour of its curve', async () => {
  const rows = await rowsOf(12);
  expect(rows.map(({ isDrawn }) => isDrawn)).toEqual(Array.from({ length: 12 }, (_, at) => at < 8));
  expect(rows[0]?.name).toBe('CPU 11');
  expect(rows[8]?.name).toBe('CPU 0');
  expect(screen.getByText('The 8 groups with the longest latencies are drawn.')).toBeDefined();
});

it('has no percentiles for which all groups have too few samples', async () => {
  await rowsOf(2);
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toContain('p99.9');
  expect(heads).not.toContain('p99.99');
});

it('keeps the order of few groups', async () => {
  const rows = await rowsOf(3);
  expect(rows.map(({ name }) => name)).toEqual(['CPU 0', 'CPU 1', 'CPU 2']);
  expect(rows.every(({ isDrawn }) => isDrawn)).toBe(true);
  expect(screen.queryByText(/are drawn/)).toBeNull();
});

it('has no percentiles of one sample, in numbers or as a curve', async () => {
  const groups = [group('a single one', [9_000]), group('two', [1_000, 2_000])];
  const rows = await rowsOfGroups(groups, 'percentiles');
  expect(rows.map(({ name, isDrawn }) => [name, isDrawn])).toEqual([
    ['two', true],
    ['a single one', false],
  ]);
  expect(screen.getByText('Groups of one sample are not drawn.')).toBeDefined();
  const [, , single] = screen.getAllByRole('row');
  expect(single?.textContent?.match(/–/g)?.length).toBeGreaterThanOrEqual(4);
});
