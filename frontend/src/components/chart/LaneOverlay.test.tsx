// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { LaneGutter } from './LaneOverlay';
import { buildScene } from './laneScene';

afterEach(cleanup);

test.each([
  ['hackbench-407', ['hackbench', '-407']],
  ['irq/28-virtio0--172', ['irq/28-virtio0-', '-172']],
  ['CPU 0', ['CPU 0']],
])('what gives way where the name of %s does not fit is not the pid', (group, parts) => {
  const items = { start: [], duration: [], fill: [] };
  const rows = [{ id: 'row', label: 'nice 0', height: 18, group, items }];
  const scene = buildScene({ rows, fills: [], texts: [], groupGap: 0 });
  render(<LaneGutter scene={scene} width={108} scroll={0} corner={undefined} />);
  const [name] = document.querySelectorAll('[data-row] > span');
  expect(name?.textContent).toBe(group);
  expect([...(name?.childNodes ?? [])].map((part) => part.textContent)).toEqual(parts);
});

test.each([
  [18, null],
  [40, 'true'],
])('a row of %i pixels has its names in two lines where it has the height for them', (height, isTall) => {
  const items = { start: [], duration: [], fill: [] };
  const rows = [{ id: 'row', label: 'thread noise', height, group: 'CPU 0', items }];
  const scene = buildScene({ rows, fills: [], texts: [], groupGap: 0 });
  render(<LaneGutter scene={scene} width={108} scroll={0} corner={undefined} />);
  expect(document.querySelector('[data-row]')?.getAttribute('data-tall')).toBe(isTall);
});
