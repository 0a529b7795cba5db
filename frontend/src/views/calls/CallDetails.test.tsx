// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { CallDetails } from './CallDetails';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CALL = {
  id: 'call-cpu1@7.0',
  symbol: 'vfs_read',
  t: 7,
  duration_ns: 5_000,
  self_ns: 400,
  cpu: 1,
  pid: 0,
  comm: '<idle>',
  depth: 0,
  args: '',
  retval: '',
  started_before: false,
  cut_at_end: false,
  has_gap: false,
};

it.each([
  ['leads to the timeline where that has lanes', { slice_count: 9, call_count: 3 }, 1],
  ['leads to no timeline without a lane', { slice_count: 3, call_count: 3 }, 0],
])('a call %s', async (_, counts, links) => {
  renderPage(<CallDetails trace={{ ...TRACE, ...counts }} id={CALL.id} onCall={() => undefined} />, {
    at: '/t/abcdefghijkl/calls',
    answers: { [encodeURIComponent(CALL.id)]: { call: CALL, callers: [] } },
  });
  await screen.findByText('vfs_read');
  expect(screen.queryAllByRole('link', { name: 'On the timeline' })).toHaveLength(links);
});
