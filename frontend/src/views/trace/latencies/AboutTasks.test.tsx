// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { TASKS } from '../../../api/latencies.fixture';
import { renderPage } from '../../../components/testing/renderPage';
import { AboutTasks } from './AboutTasks';

afterEach(cleanup);

it('shows four of many tasks, and the others when asked', async () => {
  const measured = TASKS.filter(({ is_measured }) => is_measured);
  const pids = Array.from({ length: 37 }, (_, number) => 1_000 + number);
  const tasks = pids.flatMap((pid) => measured.map((task) => ({ ...task, pid })));
  renderPage(<AboutTasks traceId="hl3hjcnjs3fa" tasks={tasks} />, { at: '/t/hl3hjcnjs3fa', answers: {} });
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(5));
  fireEvent.click(screen.getByRole('button', { name: 'Show 33 more tasks' }));
  expect(screen.getAllByRole('row')).toHaveLength(38);
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
  expect(screen.getAllByRole('row')).toHaveLength(5);
});
