// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeysProvider, useKeys } from './keys';

const page = vi.fn<() => void>();
const panel = vi.fn<() => void>();

function Page() {
  useKeys('Page', [{ keys: ['x', 'Escape'], does: 'Page thing', run: page }]);
  return <input aria-label="field" />;
}

function Panel() {
  useKeys('Panel', [{ keys: ['Escape'], does: 'Close the panel', run: panel }]);
  return null;
}

beforeEach(() => {
  page.mockClear();
  panel.mockClear();
});

afterEach(cleanup);

function press(key: string, target: Element = document.body, modifiers: object = {}): void {
  fireEvent.keyDown(target, { key, ...modifiers });
}

it('runs what the key does, but not with Ctrl, nor while somebody types', () => {
  render(
    <KeysProvider>
      <Page />
    </KeysProvider>,
  );
  press('x');
  press('x', document.body, { ctrlKey: true });
  press('x', screen.getByLabelText('field'));
  expect(page).toHaveBeenCalledTimes(1);
  press('Escape', screen.getByLabelText('field'));
  expect(page).toHaveBeenCalledTimes(2);
});

function Anywhere() {
  useKeys('Everywhere', [{ keys: ['Mod+k'], does: 'Open the palette', run: panel }]);
  return null;
}

it('takes a key with Ctrl or ⌘ also from a field, and no other key for it', () => {
  render(
    <KeysProvider>
      <Page />
      <Anywhere />
    </KeysProvider>,
  );
  press('k');
  press('j', document.body, { ctrlKey: true });
  expect(panel).not.toHaveBeenCalled();
  press('k', screen.getByLabelText('field'), { ctrlKey: true });
  press('K', document.body, { metaKey: true });
  expect(panel).toHaveBeenCalledTimes(2);
});

const withPanel = (isOpen: boolean) => (
  <KeysProvider>
    <Page />
    {isOpen ? <Panel /> : null}
  </KeysProvider>
);

it('lets the newest scope win, and gives the key back when it is gone', () => {
  const { rerender } = render(withPanel(true));
  press('Escape');
  expect([page.mock.calls.length, panel.mock.calls.length]).toEqual([0, 1]);
  rerender(withPanel(false));
  press('Escape');
  expect([page.mock.calls.length, panel.mock.calls.length]).toEqual([1, 1]);
});

const mark = vi.fn<(what: string) => void>();

function Pointed({ at }: { readonly at: string }) {
  useKeys('Pointed', [{ keys: ['m'], does: 'Mark it', run: () => mark(at) }]);
  useLayoutEffect(() => {
    press('m');
  });
  return at;
}

const pointedAt = (at: string) => (
  <KeysProvider>
    <Pointed at={at} />
  </KeysProvider>
);

it('does what is on the page as soon as that is painted', () => {
  const { rerender } = render(pointedAt('nothing'));
  rerender(pointedAt('a slice'));
  expect(mark).toHaveBeenLastCalledWith('a slice');
});
