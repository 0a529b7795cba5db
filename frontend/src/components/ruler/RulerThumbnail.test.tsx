// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { RulerThumbnail } from './RulerThumbnail';

afterEach(cleanup);

test('pieces are in proportion to the case, whose stages are named on hover', () => {
  const stages = [
    { from: 'waking', to: 'wakeup', start_ns: 1_000, duration_ns: 2_000 },
    { from: 'wakeup', to: 'switch', start_ns: 3_000, duration_ns: 6_000 },
  ];
  render(<RulerThumbnail ruler={{ stages, late: [{ start_ns: 5_000, duration_ns: 4_000 }] }} />);
  const ruler = screen.getByTestId('ruler-thumbnail');
  expect(ruler.title).toBe('waking → wakeup 2.000\u202fµs\nwakeup → switch 6.000\u202fµs');
  const pieces = [...ruler.querySelectorAll('span')];
  expect(pieces.map(({ style: { left, width } }) => [left, width])).toEqual([
    ['0%', '25%'],
    ['25%', '75%'],
    ['50%', '50%'],
  ]);
  expect(pieces.map(({ dataset }) => dataset['late'])).toEqual([undefined, undefined, 'true']);
});

test('what is one stretch from its start to its end has no proportions to show', () => {
  const stages = [{ from: 'expiry', to: 'timer handler', start_ns: 1_000, duration_ns: 8_000 }];
  render(<RulerThumbnail ruler={{ stages, late: [{ start_ns: 1_000, duration_ns: 8_000 }] }} />);
  render(<RulerThumbnail ruler={{ stages, late: [] }} />);
  expect(screen.queryByTestId('ruler-thumbnail')).toBeNull();
});
