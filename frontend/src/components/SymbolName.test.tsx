// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { SymbolName } from './SymbolName';

afterEach(cleanup);

it.each([
  ['hrtimer_start_range_ns', 'hrtimer_|start_|range_|ns'],
  ['__hrtimer_run_queues', '__hrtimer_|run_|queues'],
  ['schedule', 'schedule'],
  ['a, _raw_spin_lock', 'a, _raw_|spin_|lock'],
  ['tick_\u202e', String.raw`tick_|\u{202e}`],
])('%s breaks into whole words, and stays the same text', (name, words) => {
  const { container } = render(<SymbolName name={name} />);
  expect(container.innerHTML.replaceAll('<wbr>', '|')).toBe(words);
});
