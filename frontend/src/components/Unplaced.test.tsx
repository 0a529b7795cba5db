// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Unplaced } from './Unplaced';

afterEach(cleanup);

function Page({ waits }: { readonly waits: readonly string[] }) {
  return (
    <main aria-label="page">
      <div data-testid="both">
        {['first', 'second'].map((name) => (
          <section key={name} data-testid={name}>
            {waits.includes(name) && <Unplaced />}
          </section>
        ))}
      </div>
      <div data-testid="below" />
    </main>
  );
}

const unplaced = () =>
  ['first', 'second', 'both', 'below'].filter((id) => screen.getByTestId(id).hasAttribute('data-unplaced'));

it('marks the parts that it is in as long as one of them waits, and not the page', () => {
  const { rerender } = render(<Page waits={['first', 'second']} />);
  expect(unplaced()).toEqual(['first', 'second', 'both']);
  expect(screen.getByRole('main').hasAttribute('data-unplaced')).toBe(false);
  rerender(<Page waits={['second']} />);
  expect(unplaced()).toEqual(['second', 'both']);
  rerender(<Page waits={[]} />);
  expect(unplaced()).toEqual([]);
});
