// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import { Advice } from './Advice';

const ENTRY = {
  name: 'guest_stall',
  mechanism: 'stall',
  title: 'The host did not run this virtual CPU',
  meaning: 'The CPU stood still.',
  helps: 'Pin the virtual CPU.',
  check: 'Watch `steal` in `/proc/stat`.',
  reference: 'Documentation/filesystems/proc.rst',
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('is folded, and leads to the documentation of the kernel', async () => {
  renderPage(<Advice advice={[ENTRY]} recordNext={null} />, { at: '/', answers: {} });
  const title = await screen.findByRole('heading', { name: 'What usually helps' });
  expect(title.closest('details')?.open).toBe(false);
  const link = screen.getByRole('link', { name: ENTRY.reference, hidden: true });
  expect(link.getAttribute('href')).toBe('https://docs.kernel.org/filesystems/proc.html');
  expect(screen.getByText('/proc/stat').tagName).toBe('CODE');
  expect(screen.queryByText('Record next')).toBeNull();
});

it('gives the command that records what is missing', async () => {
  const recordNext = { command: 'trace-cmd record -e sched:sched_switch', why: 'No record says what ran.' };
  renderPage(<Advice advice={[]} recordNext={recordNext} />, { at: '/', answers: {} });
  expect(await screen.findByText(recordNext.command, { selector: 'pre' })).toBeDefined();
  expect(screen.queryByText('What usually helps')).toBeNull();
});
