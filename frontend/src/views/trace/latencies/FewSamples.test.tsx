// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { KINDS } from '../../../api/latencies.fixture';
import { renderPage } from '../../../components/testing/renderPage';
import { TRACE } from '../../../components/testing/trace.fixture';
import { traceState } from '../../../viewState/trace';
import { areFew, FewSamples } from './FewSamples';
import { shownKind } from './shownKind';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('lists the samples of a kind that has only a few, instead of charts', async () => {
  const { state } = traceState.read({ kind: 'irqsoff' });
  const found = shownKind(KINDS, state);
  if (!found?.worst) throw new Error('the fixture has irqsoff');
  const kind = { ...found, count: 2 };
  renderPage(<FewSamples trace={TRACE} kind={kind} />, {
    at: '/t/gq3tqmzqmjrd',
    answers: { '/latencies': { items: [found.worst], next: null } },
  });
  const table = within(await screen.findByRole('table', { name: 'Samples' }));
  const [first, second, task] = (await table.findAllByRole('link')).map((link) => link.getAttribute('href'));
  expect(first).toContain('/cases/');
  expect(second).toBe(first);
  expect(task).toContain('/timeline?');
  expect(screen.getByText('both of this kind')).toBeDefined();
  expect(screen.queryByText(/distribution/)).toBeNull();
});

it('does not list a single sample once more', async () => {
  const { state } = traceState.read({ kind: 'irqsoff' });
  const found = shownKind(KINDS, state);
  if (!found?.worst) throw new Error('the fixture has irqsoff');
  renderPage(
    <>
      <h1>Overview</h1>
      <FewSamples trace={TRACE} kind={{ ...found, count: 1 }} />
    </>,
    { at: '/t/gq3tqmzqmjrd', answers: { '/latencies': { items: [found.worst], next: null } } },
  );
  await screen.findByRole('heading', { name: 'Overview' });
  expect(screen.queryByRole('table')).toBeNull();
});

it('draws charts of more, of fields, and of programs, which do not list all that they measured', () => {
  const found = shownKind(KINDS, traceState.read({}).state);
  if (found === undefined) throw new Error('the fixture has kinds');
  expect(areFew({ ...found, count: 4 }, TRACE)).toBe(false);
  expect(areFew({ ...found, count: 3 }, TRACE)).toBe(true);
  expect(areFew({ ...found, count: 3 }, { ...TRACE, is_measurement: true })).toBe(false);
  const request = { ...found.request, field: 'hrtimer_cb.delta' };
  expect(areFew({ ...found, count: 0, request }, TRACE)).toBe(false);
});
