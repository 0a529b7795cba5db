// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import { StartHere } from './StartHere';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.localStorage.clear();
});

const page = (items: Promise<unknown>) =>
  renderPage(
    <>
      <p>page</p>
      <StartHere>
        <p>below</p>
      </StartHere>
    </>,
    { at: '/', answers: { '/traces': items } },
  );

const NONE = { items: [], next: null };
const never = new Promise(() => undefined);

test('on a first visit nothing is below that would jump, until it is known whether there are samples', async () => {
  const late: { answer?: (found: unknown) => void } = {};
  page(
    new Promise((resolve) => {
      late.answer = resolve;
    }),
  );
  await screen.findByText('page');
  expect([screen.queryByText('Start here'), screen.queryByText('below')]).toEqual([null, null]);
  late.answer?.(NONE);
  await screen.findByText('below');
  expect(screen.queryByText('Start here')).toBeNull();
});

test('room is kept for the samples, but not where there were none last time', async () => {
  window.localStorage.setItem('jitterscope.noSamples', 'no');
  page(never);
  await screen.findByText('below');
  expect(screen.getByText('Start here')).toBeDefined();
  cleanup();
  page(Promise.resolve(NONE));
  await screen.findByText('below');
  await waitFor(() => expect(screen.queryByText('Start here')).toBeNull());
  cleanup();
  page(never);
  await screen.findByText('below');
  expect(screen.queryByText('Start here')).toBeNull();
});
