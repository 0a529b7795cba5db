// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { LatencyTask } from '../../../api/latencyTypes';
import { traceState } from '../../../viewState/trace';
import { TaskChoice } from './TaskChoice';

afterEach(cleanup);

const task = (comm: string, pid: number) => ({ comm, pid, prio: null, priority_class: null }) as LatencyTask; // the rest is not shown here

it('offers the idle tasks of all CPUs once, as they are chosen together', () => {
  const tasks = [task('<idle>', 0), task('sh', 7), task('<idle>', 0)];
  render(<TaskChoice tasks={tasks} state={traceState.read({}).state} setState={() => undefined} />);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'all',
    '<idle>-0',
    'sh-7',
  ]);
});
