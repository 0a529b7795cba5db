// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { CallsAnswer } from '../../api/calls';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { Calls } from './Calls';

vi.mock('../../components/chart/Chart', () => import('../../components/testing/FlatChart'));

const LANE = { id: 'cpu0', cpu: 0, lane_task_idx: null, detail: 'slices', task_idx: [0], self_ns: [400] };
const ANSWER: CallsAnswer = {
  start: 0,
  end: 10_001,
  width: 1000,
  tasks: [{ pid: 1213, comm: 'cyclictest', cpu: null }],
  symbols: ['vfs_read', 'ktime_get'],
  lanes: [
    { ...LANE, depth: 0, t: [1_000], duration_ns: [5_000], symbol_idx: [0], call_id: ['call-1213@1000.0'] },
    { ...LANE, depth: 1, t: [2_000], duration_ns: [400], symbol_idx: [1], call_id: ['call-1213@2000.1'] },
  ],
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows calls over time and has their numbers as a table', async () => {
  renderPage(<Calls trace={TRACE} />, { at: '/t/abcdefghijkl/calls', answers: { '/calls': ANSWER } });
  const chart = await screen.findByRole('group', { name: 'Function calls of A trace over time' });
  expect(within(chart).getByText('CPU 0')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: /as a table/ }));
  const row = screen.getByText('ktime_get').closest('tr');
  expect([...(row?.cells ?? [])].map((cell) => cell.textContent)).toEqual([
    'CPU 0',
    '1',
    'ktime_get',
    '0.000002000',
    '400',
    '400',
    '1',
  ]);
});

it('says how to record calls where there are none', async () => {
  renderPage(<Calls trace={{ ...TRACE, call_count: 0 }} />, { at: '/t/abcdefghijkl/calls', answers: {} });
  expect(await screen.findByText('No function calls in this trace')).toBeDefined();
});

it('leads from the calls of a function in a window to those in the whole trace', async () => {
  const at = '/t/abcdefghijkl/calls?show=functions&of=vfs_read&window=0-5000';
  renderPage(<Calls trace={TRACE} />, { at, answers: {} });
  const panel = within(await screen.findByRole('region', { name: 'Calls of vfs_read' }));
  expect(panel.getByRole('group', { name: 'Window' }).textContent).toMatch(/^Window5\.000\sµs/);
  fireEvent.click(panel.getByRole('button', { name: 'whole trace' }));
  await waitFor(() => expect(panel.queryByRole('group', { name: 'Window' })).toBeNull());
});
