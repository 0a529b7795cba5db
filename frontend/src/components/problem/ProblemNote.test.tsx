// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { problemOfTrace, readProblem } from '../../lib/problem';
import { ProblemNote } from './ProblemNote';

afterEach(cleanup);

it('says what, where and which kind, and shows the excerpt as text', () => {
  const problem = problemOfTrace({
    code: 'unknown_format',
    sentence: 'This is not a recording.',
    remedy: 'Upload one.',
    line: 12_345,
    byte_offset: null,
    excerpt: '<img src=x>\u001b[31m',
  });
  render(<ProblemNote problem={problem} />);
  const note = screen.getByRole('alert');
  expect(note.textContent).toBe(
    'The file could not be readThis is not a recording.Upload one.<img src=x>\\x1b[31mline 12,345 · unknown_format',
  );
  expect(note.querySelector('img')).toBeNull();
});

it('offers a retry only where it can help, and the other ways out always', () => {
  const statuses = [0, 400, 404, 408, 410, 415, 422, 429, 500, 503, 507];
  const offered = statuses.filter((status) => {
    render(
      <ProblemNote problem={readProblem(status, {})} onRetry={() => undefined}>
        <a href="/">All traces</a>
      </ProblemNote>,
    );
    expect(screen.getByRole('link', { name: 'All traces' })).toBeDefined();
    const hasRetry = screen.queryByRole('button', { name: 'Retry' }) !== null;
    cleanup();
    return hasRetry;
  });
  expect(offered).toEqual([0, 408, 429, 500, 503, 507]);
});

it('reads a problem document, and whatever else an answer may hold', () => {
  expect(readProblem(404, { type: '/docs#problem-not_found', title: 'Not found', detail: 'None.' })).toEqual({
    status: 404,
    code: 'problem-not_found',
    title: 'Not found',
    detail: 'None.',
  });
  for (const body of [undefined, null, 'gateway', [], { title: 7, line: 'x' }]) {
    expect(readProblem(502, body)).toEqual({
      status: 502,
      code: 'http_502',
      title: 'The server returned status 502',
    });
  }
});
