// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { NoticesProvider, useNotice, useNoticesOfPage } from './notices';

afterEach(cleanup);

function Page() {
  const [page, setPage] = useState('/a');
  const say = useNotice();
  useNoticesOfPage(page);
  return (
    <>
      <button type="button" onClick={() => say('Link copied.')}>
        copy
      </button>
      <button type="button" onClick={() => say('Deleted a.', { leadsOn: true })}>
        delete
      </button>
      <button type="button" onClick={() => setPage(`${page}/a`)}>
        leave
      </button>
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('takes what was said on a page away with it, but for what led to the next one', () => {
  render(
    <NoticesProvider>
      <Page />
    </NoticesProvider>,
  );
  press('copy');
  expect(screen.getByRole('status').textContent).toBe('Link copied.');
  press('leave');
  expect(screen.getByRole('status').textContent).toBe('');
  press('delete');
  press('leave');
  expect(screen.getByRole('status').textContent).toBe('Deleted a.');
  press('leave');
  expect(screen.getByRole('status').textContent).toBe('');
});
