// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Term } from './Term';

const MEANING = 'From the wakeup to the switch <b>to the task</b>.';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <section>
      <Term title="Wakeup latency" meaning={MEANING}>
        <a href="/here">wakeup</a>
      </Term>
    </section>,
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

const term = () => screen.getByRole('link', { name: 'wakeup' });

it('is no more than its link until somebody asks', () => {
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect(term().getAttribute('aria-describedby')).toBeNull();
});

it.each([
  ['pointer', 'pointerMove', 'pointerLeave'],
  ['focus', 'focus', 'blur'],
] as const)('says what it means while the %s is on it', (_, enter, leave) => {
  fireEvent[enter](enter === 'pointerMove' ? (term().parentElement ?? term()) : term());
  pass(300);
  const meaning = screen.getByRole('tooltip');
  expect(meaning.textContent).toBe(`Wakeup latency${MEANING}`);
  expect(term().getAttribute('aria-describedby')).toBe(meaning.id);
  fireEvent[leave](leave === 'pointerLeave' ? (term().parentElement ?? term()) : term());
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('keeps its meaning while the pointer is on that, and Escape puts it away', () => {
  fireEvent.pointerMove(term().parentElement ?? term());
  pass(300);
  fireEvent.pointerOver(screen.getByRole('tooltip'));
  expect(screen.getByRole('tooltip')).toBeDefined();
  fireEvent.keyDown(term(), { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('stays away where a page opens under a pointer at rest, until that moves', () => {
  fireEvent.pointerOver(term(), { relatedTarget: term().closest('section') });
  pass(300);
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.pointerMove(term());
  pass(300);
  expect(screen.getByRole('tooltip')).toBeDefined();
});

it('stays away from a pointer that moves on inside after Escape', () => {
  fireEvent.pointerMove(term());
  pass(300);
  fireEvent.keyDown(term(), { key: 'Escape' });
  fireEvent.pointerMove(term());
  pass(300);
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('stays away from a pointer that only passes', () => {
  fireEvent.pointerMove(term().parentElement ?? term());
  pass(200);
  fireEvent.pointerLeave(term().parentElement ?? term());
  pass(300);
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('stays away while its control is used by the pointer', () => {
  fireEvent.pointerMove(term().parentElement ?? term());
  fireEvent.pointerDown(term());
  fireEvent.focus(term());
  pass(300);
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('leaves what is below a term in sight where that is what it explains', () => {
  cleanup();
  render(
    <Term isAbove title="waking" meaning={MEANING}>
      <button type="button">waking</button>
    </Term>,
  );
  const button = screen.getByRole('button', { name: 'waking' });
  const at = vi.spyOn(button.parentElement ?? button, 'getBoundingClientRect');
  at.mockReturnValue(new DOMRect(16, 200, 80, 20));
  fireEvent.focus(button);
  expect(screen.getByRole('tooltip').style.bottom).toBe(`${window.innerHeight - 200}px`);
  fireEvent.blur(button);
  at.mockReturnValue(new DOMRect(16, 40, 80, 20));
  fireEvent.focus(button);
  expect(screen.getByRole('tooltip').style.top).toBe('60px');
});
