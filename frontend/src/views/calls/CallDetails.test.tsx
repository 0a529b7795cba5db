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

it('lists what had the time of a call, and leads to it', async () => {
  const picked: string[] = [];
  const inside = [
    { symbol: 'copy_to_user', self_ns: 4_600, count: 3, id: 'call-cpu1@9.1' },
    { symbol: 'vfs_read', self_ns: 400, count: 1, id: CALL.id },
  ];
  renderPage(
    <CallDetails
      trace={TRACE}
      id={CALL.id}
      inside={inside}
      onCall={() => undefined}
      onInside={(id) => picked.push(id)}
    />,
    { at: '/t/abcdefghijkl/calls', answers: { [encodeURIComponent(CALL.id)]: { call: CALL, callers: [] } } },
  );
  const list = await screen.findByRole('list', { name: 'Where its time went' });
  expect(list.textContent).toMatch(/copy_to_user3 ×4\.600\s*µs92\.0\s*%vfs_read400\s*ns8\.0\s*%/);
  screen.getByRole('button', { name: 'copy_to_user' }).click();
  expect(picked).toEqual(['call-cpu1@9.1']);
});
