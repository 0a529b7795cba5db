// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ProblemError, readProblem } from '../../lib/problem';
import { FailedPage } from './FailedQuery';

afterEach(cleanup);

it.each([
  [404, true],
  [503, false],
])('after status %s, says that what is not there may have been deleted: %s', (status, says) => {
  const error = new ProblemError(readProblem(status, { detail: "There is no trace 'a'." }));
  render(
    <FailedPage query={{ error, refetch: () => undefined }}>
      <a href="/">All traces</a>
    </FailedPage>,
  );
  expect(screen.queryByText('It may have been deleted.') !== null).toBe(says);
  expect(screen.getByRole('link', { name: 'All traces' })).toBeDefined();
});
