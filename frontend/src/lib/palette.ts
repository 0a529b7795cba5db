import type { Colour, ThemeName } from './colour';

/**
 * Every colour of the page, by what it means. Set as CSS variables (`--line-strong`) by `applyTheme`, and read as
 * values by the charts, which cannot see style sheets. The data colours are told apart by colour-blind people
 * (the set of Okabe and Ito); the test beside this file checks the contrast of all text.
 */
export interface Palette {
  /** The page, and what lies on it: bars and panels, a row under the pointer, a chosen row. */
  readonly ground: Colour;
  readonly raised: Colour;
  readonly hovered: Colour;
  readonly chosen: Colour;
  /** Hairlines between things, and edges of things that can be operated (3:1). */
  readonly line: Colour;
  readonly edge: Colour;
  readonly text: Colour;
  readonly quiet: Colour;
  readonly link: Colour;
  readonly focus: Colour;
  /** Words that report a problem, a warning, success. */
  readonly bad: Colour;
  readonly warn: Colour;
  readonly good: Colour;
  /** Slices. Interrupts off and preemption off are hatched in these colours, loss is cross-hatched. */
  readonly irq: Colour;
  readonly softirq: Colour;
  readonly irqsOff: Colour;
  readonly preemptOff: Colour;
  readonly kernelThread: Colour;
  readonly loss: Colour;
  /** Slices of a kind that this page has no colour for. */
  readonly otherSlice: Colour;
  /** The late part of a latency: the one accent, and nothing else has it. */
  readonly late: Colour;
  /** The rest of it, on which text can be read. */
  readonly stage: Colour;
  /** The critical path of a case: what it waited for, from lane to lane. */
  readonly path: Colour;
  /** The two sides of a comparison. */
  readonly abnormal: Colour;
  readonly normal: Colour;
  /** Text on top of a slice, whatever the slice's colour. */
  readonly onSlice: Colour;
  /** The bar behind a number, showing its share. */
  readonly share: Colour;
}

export const PALETTES: Record<ThemeName, Palette> = {
  dark: {
    ground: '#0e1114',
    raised: '#15191e',
    hovered: '#1b2127',
    chosen: '#17293a',
    line: '#262d35',
    edge: '#6b7785',
    text: '#dfe5ea',
    quiet: '#95a1ad',
    link: '#6cb6ee',
    focus: '#a5d3ff',
    bad: '#ff8a65',
    warn: '#e6a983',
    good: '#4fc3a1',
    irq: '#e2563b',
    softirq: '#f0914d',
    irqsOff: '#aeb8c2',
    preemptOff: '#6f7b87',
    kernelThread: '#7d93ab',
    loss: '#818b95',
    otherSlice: '#95a1ad',
    late: '#ffc629',
    stage: '#38424d',
    path: '#e56fb8',
    abnormal: '#e8831e',
    normal: '#56b4e9',
    onSlice: '#0b0d0f',
    share: '#213547',
  },
  light: {
    ground: '#ffffff',
    raised: '#f6f7f8',
    hovered: '#eef1f4',
    chosen: '#dcebf8',
    line: '#dde2e7',
    edge: '#7d8894',
    text: '#171c21',
    quiet: '#56616c',
    link: '#00609c',
    focus: '#0072b2',
    bad: '#b33c00',
    warn: '#7a5200',
    good: '#00664b',
    irq: '#e0573c',
    softirq: '#f0954f',
    irqsOff: '#4a545e',
    preemptOff: '#98a3ae',
    kernelThread: '#8fa3b8',
    loss: '#9aa3ac',
    otherSlice: '#aab3bc',
    late: '#ffbe0a',
    stage: '#d3d9df',
    path: '#b0307e',
    abnormal: '#e07a14',
    normal: '#4aa3d9',
    onSlice: '#0b0d0f',
    share: '#d6e6f4',
  },
};

/** The CSS variable that holds a colour of the palette: `kernelThread` is `--kernel-thread`. */
export function cssVariable(name: keyof Palette): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
