// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useStill } from './useStill';

function List() {
  const [text, setText] = useState('first');
  const [shown, still] = useStill(text);
  return (
    <>
      <p {...still}>{shown}</p>
      <button type="button" onClick={() => setText('second')}>
        Answer
      </button>
    </>
  );
}

const answer = () => fireEvent.click(screen.getByText('Answer'));

beforeEach(() => {
  vi.useFakeTimers();
  render(<List />);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('shows what arrives', () => {
  answer();
  expect(screen.getByText('second')).toBeDefined();
});

it.each(['pointerUp', 'pointerCancel', 'dragEnd'] as const)(
  'holds still from the press until after %s',
  (end) => {
    fireEvent.pointerDown(screen.getByText('first'));
    answer();
    expect(screen.getByText('first')).toBeDefined();
    fireEvent[end](window);
    expect(screen.getByText('first')).toBeDefined();
    act(() => void vi.runAllTimers());
    expect(screen.getByText('second')).toBeDefined();
  },
);
