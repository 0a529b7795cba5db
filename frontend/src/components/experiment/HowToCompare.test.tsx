// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../testing/renderPage';
import { HowToCompare } from './HowToCompare';

afterEach(cleanup);

it('says how a comparison is made, leads there, and shows one', async () => {
  renderPage(<HowToCompare isPage title="No traces selected" />, { at: '/compare', answers: {} });
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('No traces selected');
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  const targets = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(targets).toEqual(['/', '/?v=1&label=sample:yes', '/help/experiments']);
  expect(screen.getByRole('img', { name: /^A comparison/ }).getAttribute('src')).toContain('experiment');
});
