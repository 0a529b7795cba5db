// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../api/queryClient';
import { renderPage } from '../../components/testing/renderPage';
import { MeasuredAndTraced } from './MeasuredAndTraced';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TRACE = { id: 'tttttttttttt', name: 'sleep', is_measurement: false, by: 'with', url: '' };
const run = (part: object) => ({
  is_measurement: true,
  tied: [],
  proposed: [],
  threads: [],
  notes: [],
  ...part,
});
const VARIANTS = [
  { name: 'idle', traces: [{ id: 'mmmmmmmmmmmm', name: 'sleep.samples.tsv', labels: {} }], missing: [] },
];

it.each([
  [run({ tied: [TRACE] }), /One file is linked to the trace of its run, and names no threads/],
  [run({ tied: [TRACE] }), /later by its timer slack, 50.µs by default/],
  [run({ tied: [TRACE], notes: ['which is which is not known.'] }), /which is which is not known/],
])('says why files that are tied show no cases', async (answer, words) => {
  renderPage(<MeasuredAndTraced variants={VARIANTS} />, {
    at: '/',
    answers: { '/mmmmmmmmmmmm/run': answer },
  });
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('brings the tie to the catalog, whatever that knew before', async () => {
  const [variant] = VARIANTS;
  const traces = [...(variant?.traces ?? []), { id: TRACE.id, name: TRACE.name, labels: {} }];
  queryClient.setQueryData(['traces', 'first page'], []);
  renderPage(<MeasuredAndTraced variants={[{ name: 'idle', traces, missing: [] }]} />, {
    at: '/',
    answers: {
      '/mmmmmmmmmmmm/run': run({ proposed: [TRACE] }),
      '/tttttttttttt/run': run({ is_measurement: false }),
      '/mmmmmmmmmmmm': {},
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /Link to the traces/ }));
  await waitFor(() => expect(queryClient.getQueryState(['traces', 'first page'])?.isInvalidated).toBe(true));
});
