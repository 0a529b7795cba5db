// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { CompareState } from '../../viewState/compare';
import type { PriorityClass } from '../../viewState/trace';
import type { SetViewState } from '../../viewState/useViewState';
import { TaskFilter } from './TaskFilter';

afterEach(cleanup);

const task = (comm: string, of: PriorityClass | null) => ({ comm, priority_class: of });

const TASKS = [task('cyclictest', 'real_time'), task('cyclictest', 'fair'), task('sh', 'fair')];

function shown(state: { readonly comm: string; readonly priority: readonly PriorityClass[] }) {
  const setState = vi.fn<SetViewState<CompareState>>();
  render(<TaskFilter tasks={TASKS} state={state} setState={setState} />);
  return setState;
}

const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('offers the classes that there are, and each name once', () => {
  const setState = shown({ comm: '', priority: [] });
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'all',
    'real-time',
    'fair',
  ]);
  expect(offered()).toEqual(['all', 'cyclictest', 'sh']);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'sh' } });
  expect(setState).toHaveBeenCalledWith({ comm: 'sh', priority: [] }, { history: 'push' });
});

it('keeps a name only in a class that has it', () => {
  const setState = shown({ comm: 'sh', priority: [] });
  fireEvent.click(screen.getByRole('button', { name: 'real-time' }));
  expect(setState).toHaveBeenLastCalledWith({ priority: ['real_time'], comm: '' }, { history: 'push' });
  fireEvent.click(screen.getByRole('button', { name: 'fair' }));
  expect(setState).toHaveBeenLastCalledWith({ priority: ['fair'], comm: 'sh' }, { history: 'push' });
});

it('shows a name of the address that no trace has', () => {
  shown({ comm: 'gone', priority: ['real_time'] });
  expect(offered()).toEqual(['all', 'gone', 'cyclictest']);
});
