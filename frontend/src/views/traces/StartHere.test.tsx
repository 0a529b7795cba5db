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
      <p>below</p>
      <StartHere />
    </>,
    { at: '/', answers: { '/traces': items } },
  );

test('room is kept for the samples, but not where there were none last time', async () => {
  page(Promise.resolve({ items: [], next: null }));
  await screen.findByText('Start here');
  await waitFor(() => expect(screen.queryByText('Start here')).toBeNull());
  cleanup();
  page(new Promise(() => undefined));
  await screen.findByText('below');
  expect(screen.queryByText('Start here')).toBeNull();
});
