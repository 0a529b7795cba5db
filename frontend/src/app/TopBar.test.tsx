// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '../components/testing/renderPage';
import { TopBar } from './TopBar';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nothing = () => undefined;

test.each([
  ['/', 'Traces', 'page'],
  ['/experiments', 'Experiments', 'page'],
  ['/experiments/before-and-after', 'Experiments', 'true'],
  ['/compare?variants=before%3Daaaa', 'Experiments', 'true'],
  ['/trend?labels=board%3Arpi5', 'Experiments', 'true'],
  ['/query', 'Query', 'page'],
])('at %s the bar says that one is at %s', async (at, place, current) => {
  renderPage(<TopBar traceId={undefined} onFind={nothing} onShare={nothing} onHelp={nothing} />, {
    at,
    answers: {},
  });
  const link = await screen.findByRole('link', { name: place });
  expect(link.getAttribute('aria-current')).toBe(current);
  expect(document.querySelectorAll('nav [aria-current]')).toHaveLength(1);
});
