// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { TASKS } from '../../../api/latencies.fixture';
import { renderPage } from '../../../components/testing/renderPage';
import type { TaskSort } from '../../../viewState/trace';
import { AboutTasks } from './AboutTasks';
import { sortedTasks } from './sortedTasks';

afterEach(cleanup);

const sortBy = vi.fn<(sort: TaskSort) => void>();

it('shows four of many tasks, and the others when asked', async () => {
  const measured = TASKS.filter(({ is_measured }) => is_measured);
  const pids = Array.from({ length: 37 }, (_, number) => 1_000 + number);
  const tasks = pids.flatMap((pid) => measured.map((task) => ({ ...task, pid })));
  renderPage(<AboutTasks traceId="hl3hjcnjs3fa" tasks={tasks} sort="-priority" onSort={sortBy} />, {
    at: '/t/hl3hjcnjs3fa',
    answers: {},
  });
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(5));
  fireEvent.click(screen.getByRole('button', { name: 'Show 33 more tasks' }));
  expect(screen.getAllByRole('row')).toHaveLength(38);
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
  expect(screen.getAllByRole('row')).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Worst' }));
  expect(sortBy).toHaveBeenCalledExactlyOnceWith('-worst');
});

it.each([
  ['-priority', [1, 2, 10]],
  ['priority', [10, 2, 1]],
  ['-worst', [2, 10, 1]],
  ['count', [10, 1, 2]],
  ['task', [1, 2, 10]],
  ['-task', [10, 2, 1]],
] as const)('sorts them by %s', (sort, expected) => {
  const sizes = [
    [1, 300, 7],
    [2, 900, 7],
    [10, 500, 3],
  ] as const;
  const tasks = TASKS.slice(0, 1).flatMap((task) =>
    sizes.map(([pid, duration_ns, count]) => ({
      ...task,
      pid,
      count,
      worst: { ...task.worst, duration_ns },
    })),
  );
  expect(sortedTasks(tasks, sort).map(({ pid }) => pid)).toEqual(expected);
});
