// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadingSurface } from './ReadingSurface';
import { stepByKey } from './stepByKey';

const onOpen = vi.fn<(at: number) => void>();

/** Four of something side by side, on 400 pixels. */
function Four() {
  const [at, setAt] = useState<number>();
  return (
    <ReadingSurface
      label="Run"
      read={at}
      index={at}
      count={4}
      text={at === undefined ? undefined : `run ${at}`}
      place={{ left: 0 }}
      pointTo={({ x }, size) => Math.floor((x / size.x) * 4)}
      keyTo={(key) => stepByKey(key, at, 4)}
      onRead={setAt}
      onOpen={onOpen}
    />
  );
}

beforeEach(() => {
  onOpen.mockClear();
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 400, 50));
  render(<Four />);
});
afterEach(cleanup);

const surface = () => screen.getByRole('slider', { name: 'Run' });
const spoken = () => surface().getAttribute('aria-valuetext');

it('speaks what the keys are at, opens it with Enter, and takes no key that leads nowhere', () => {
  expect(spoken()).toBe('none');
  expect(fireEvent.keyDown(surface(), { key: 'Enter' })).toBe(true);
  expect(fireEvent.keyDown(surface(), { key: 'End' })).toBe(false);
  expect([spoken(), surface().getAttribute('aria-valuenow')]).toEqual(['run 3', '4']);
  expect(fireEvent.keyDown(surface(), { key: 'w' })).toBe(true);
  expect(fireEvent.keyDown(surface(), { key: 'Enter' })).toBe(false);
  expect(onOpen.mock.calls).toEqual([[3]]);
  fireEvent.blur(surface());
  expect(spoken()).toBe('none');
});

it('reads where the pointer is until it leaves, and opens what is clicked', () => {
  fireEvent.pointerMove(surface(), { clientX: 250, pointerType: 'mouse' });
  expect(spoken()).toBe('run 1');
  fireEvent.click(surface());
  expect(onOpen.mock.calls).toEqual([[1]]);
  fireEvent.pointerLeave(surface(), { pointerType: 'mouse' });
  expect(spoken()).toBe('none');
});

it('reads what a finger tapped after it is lifted, until it taps elsewhere or scrolls', () => {
  fireEvent.pointerDown(surface(), { clientX: 450, pointerType: 'touch' });
  fireEvent.pointerLeave(surface(), { pointerType: 'touch' });
  expect(spoken()).toBe('run 3');
  fireEvent.pointerCancel(surface(), { pointerType: 'touch' });
  expect(spoken()).toBe('none');
});
