// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeysProvider } from '../keys/keys';
import { SearchField, SearchSlot, SearchSlotProvider } from './SearchField';

const reported = vi.fn<(value: string) => void>();

function Page() {
  const [value, setValue] = useState('');
  const change = (next: string) => {
    reported(next);
    setValue(next);
  };
  return (
    <KeysProvider>
      <SearchSlotProvider>
        <SearchSlot />
        <SearchField label="Search things" value={value} onChange={change} />
        <button type="button" onClick={() => setValue('from a link')}>
          Back
        </button>
      </SearchSlotProvider>
    </KeysProvider>
  );
}

const field = (): HTMLInputElement => screen.getByRole('searchbox', { name: 'Search things' });
const type = (value: string): boolean => fireEvent.change(field(), { target: { value } });
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
  reported.mockClear();
  render(<Page />);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('reports once typing pauses', () => {
  type('i');
  pass(100);
  type('irq');
  expect(reported).not.toHaveBeenCalled();
  pass(150);
  expect(reported.mock.calls).toEqual([['irq']]);
});

it('keeps what is typed while its own report comes back', () => {
  type('irq');
  pass(150);
  type('irqs');
  expect(field().value).toBe('irqs');
});

it('follows the address when somebody goes back', () => {
  fireEvent.click(screen.getByText('Back'));
  expect(field().value).toBe('from a link');
});

it('has the focus after / and loses it after Escape', () => {
  fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(field());
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect(document.activeElement).not.toBe(field());
});
