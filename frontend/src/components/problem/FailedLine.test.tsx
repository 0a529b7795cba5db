// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ProblemError, readProblem } from '../../lib/problem';
import { FailedLine } from './FailedLine';

afterEach(cleanup);

it.each([
  [503, true],
  [404, false],
])('says what is missing after status %s, and offers a retry: %s', (status, offers) => {
  const refetch = vi.fn<() => void>();
  const error = new ProblemError(readProblem(status, { detail: 'Too busy.' }));
  render(<FailedLine query={{ error, refetch }}>Could not list the cases.</FailedLine>);
  expect(screen.getByRole('alert').title).toBe('Too busy.');
  expect(screen.getByText(/Could not list the cases\./)).toBeDefined();
  screen.queryAllByRole('button', { name: 'Retry' }).forEach((button) => fireEvent.click(button));
  expect(refetch).toHaveBeenCalledTimes(Number(offers));
});
