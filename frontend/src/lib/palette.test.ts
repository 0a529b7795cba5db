import { describe, expect, it } from 'vitest';
import { contrastRatio, taskColour, taskHue } from './colour';
import { cssVariable, PALETTES } from './palette';

const NAMES = ['hackbench', 'cyclictest', 'bash', 'dd', 'stress-ng', '__proto__', 'löve', ''];

describe.each(['dark', 'light'] as const)('the %s palette', (theme) => {
  const palette = PALETTES[theme];
  const grounds = ['ground', 'raised', 'hovered', 'chosen', 'share'] as const;

  it.each(['text', 'quiet', 'link', 'bad', 'warn', 'good'] as const)(
    'has readable %s on every ground',
    (ink) => {
      for (const ground of grounds) {
        expect(contrastRatio(palette[ink], palette[ground])).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('has readable names on the stages of a latency', () => {
    expect(contrastRatio(palette.text, palette.stage)).toBeGreaterThanOrEqual(4.5);
  });

  it('draws edges and focus rings that can be seen', () => {
    expect(contrastRatio(palette.edge, palette.raised)).toBeGreaterThanOrEqual(3);
    expect(contrastRatio(palette.focus, palette.ground)).toBeGreaterThanOrEqual(3);
    expect(contrastRatio(palette.path, palette.ground)).toBeGreaterThanOrEqual(3);
  });

  it('has readable text on slices of every colour', () => {
    const slices = [
      palette.irq,
      palette.softirq,
      palette.kernelThread,
      palette.otherSlice,
      palette.late,
      ...NAMES.flatMap((n) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((pid) => taskColour(n, theme, pid))),
    ];
    for (const slice of slices) expect(contrastRatio(palette.onSlice, slice)).toBeGreaterThanOrEqual(4.5);
  });
});

it.each(['dark', 'light'] as const)('gives the %s accent to what is late and to nothing else', (theme) => {
  const { late, ...others } = PALETTES[theme];
  for (const other of Object.values(others)) expect(farApart(late, other)).toBe(true);
});

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Some channel differs by a sixth of its range. */
function farApart(one: string, other: string): boolean {
  const second = channels(other);
  return channels(one).some((channel, at) => Math.abs(channel - (second[at] ?? 0)) >= 43);
}

it('keeps tasks out of the hues of interrupts, and gives a name one hue', () => {
  for (const name of NAMES) {
    expect(taskHue(name)).toBeGreaterThanOrEqual(105);
    expect(taskHue(name)).toBeLessThan(355);
  }
  expect(taskHue('cyclictest')).toBe(taskHue('cyclictest'));
  expect(new Set(NAMES.map(taskHue)).size).toBe(NAMES.length);
});

it.each(['dark', 'light'] as const)('tells threads of one name apart by their shade in %s', (theme) => {
  const pids = Array.from({ length: 9 }, (_, at) => 371 + at);
  expect(new Set(pids.map((pid) => taskColour('cyclictest', theme, pid))).size).toBe(9);
});

it('names CSS variables after their meaning', () => {
  expect(cssVariable('kernelThread')).toBe('--kernel-thread');
});
