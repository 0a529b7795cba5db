// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Table, type Column } from './Table';

interface Row {
  readonly name: string;
  readonly size: number;
}

const ROWS: readonly Row[] = [
  { name: 'first', size: 2 },
  { name: '__proto__', size: 1 },
  { name: '<b>last</b>', size: 3 },
];

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    title: 'Name',
    sort: { name: 'name', preferred: 'ascending' },
    cell: (row) => <a href={`#${encodeURIComponent(row.name)}`}>{row.name}</a>,
  },
  {
    id: 'size',
    title: 'Size',
    sort: { name: 'size', preferred: 'descending' },
    isNumber: true,
    cell: (row) => row.size,
  },
  { id: 'bar', title: 'how large', isTitleUnseen: true, bar: (row) => row.size / 2, cell: () => null },
];

function show(sort: string) {
  const onSort = vi.fn<(sort: string) => void>();
  render(
    <Table
      label="Things"
      columns={COLUMNS}
      rows={ROWS}
      keyOf={(row) => row.name}
      sort={sort}
      onSort={onSort}
    />,
  );
  return onSort;
}

afterEach(cleanup);

it('tells and changes the order', () => {
  const onSort = show('-size');
  expect(screen.getByRole('columnheader', { name: /Size/ }).getAttribute('aria-sort')).toBe('descending');
  expect(screen.getByRole('columnheader', { name: /Name/ }).getAttribute('aria-sort')).toBe('none');
  fireEvent.click(screen.getByRole('button', { name: /Size/ }));
  fireEvent.click(screen.getByRole('button', { name: /Name/ }));
  expect(onSort.mock.calls).toEqual([['size'], ['name']]);
});

it('goes from row to row with the arrow keys', () => {
  show('name');
  const links = screen.getAllByRole('link');
  links[0]?.focus();
  for (const [key, at] of [
    ['ArrowDown', 1],
    ['End', 2],
    ['ArrowDown', 2],
    ['ArrowUp', 1],
    ['Home', 0],
  ] as const) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    expect(document.activeElement).toBe(links[at]);
  }
});

it('opens a row wherever it is clicked, and shows markup as text', () => {
  show('name');
  const opened = vi.fn<() => void>();
  const last = screen.getByRole('link', { name: '<b>last</b>' });
  last.addEventListener('click', opened);
  fireEvent.click(screen.getByText('3'));
  expect(opened).toHaveBeenCalledOnce();
});

const isLarge = ({ size }: Row) => size > 2;
const SPARSE = COLUMNS.map((column) => (column.id === 'size' ? { ...column, has: isLarge } : column));

function titlesOf(rows: readonly Row[]) {
  cleanup();
  render(<Table label="Things" columns={SPARSE} rows={rows} keyOf={(row) => row.name} />);
  return screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
}

it('leaves out a column in which no row has anything', () => {
  expect(titlesOf(ROWS)).toEqual(['Name', 'Size', 'how large']);
  expect(titlesOf(ROWS.slice(0, 2))).toEqual(['Name', 'how large']);
  // Nothing is known yet: the columns keep their places.
  expect(titlesOf([])).toEqual(['Name', 'Size', 'how large']);
});
