// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../testing/renderPage';
import { Labels } from './Labels';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('chooses a label, and leads from a tie to the trace', async () => {
  const choose = vi.fn<(label: string) => void>();
  renderPage(<Labels labels={{ board: 'rpi5', with: 'gq3tqmzqmjrd' }} onChoose={choose} />, {
    at: '/',
    answers: {},
  });
  const tied = await screen.findByRole('link', { name: 'linked to its trace' });
  expect(tied.getAttribute('href')).toBe('/t/gq3tqmzqmjrd');
  fireEvent.click(screen.getByRole('button', { name: 'board=rpi5' }));
  expect(choose).toHaveBeenCalledWith('board:rpi5');
  expect(screen.queryByText(/gq3tqmzqmjrd/)).toBeNull();
});
