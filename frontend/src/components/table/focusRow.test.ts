// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import { focusRow } from './focusRow';

afterEach(() => document.body.replaceChildren());

test('the focus walks from row to row, and stays at the ends', () => {
  document.body.innerHTML = `<table><tbody>
    <tr><td><input></td><td><a href="/1">one</a><a href="/x">other</a></td></tr>
    <tr><td>no link</td></tr>
    <tr><td><a href="/2">two</a></td></tr></tbody></table>`;
  const steps = [1, 1, 1, -1, -1] as const;
  const reached = steps.map((by) => {
    focusRow(document.body, by);
    return document.activeElement?.textContent;
  });
  expect(reached).toEqual(['one', 'two', 'two', 'one', 'one']);
  document.querySelector('input')?.focus();
  focusRow(document.body, 1);
  expect(document.activeElement?.textContent).toBe('two');
});
