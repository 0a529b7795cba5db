import { fromOklch, type Colour, type ThemeName } from '../../lib/colour';
import { TIME, type Clock } from '../../lib/clock';
import { exactText, groupDigits, ns, unitOf } from '../../lib/ns';

/**
 * The steps of the scale in nanoseconds, or in steps of a clock that only counts. They are fixed, so that a colour means the same in every comparison and in
 * two pictures that lie side by side.
 */
export const DELTA_STEPS_NS = [100, 500, 2_000, 10_000, 50_000] as const;

/** Step of a difference, 1 to 5 where slower, -1 to -5 where faster, 0 where less than the first step. */
export function deltaStep(deltaNs: number): number {
  const size = Math.abs(deltaNs);
  const step = DELTA_STEPS_NS.filter((least) => size >= least).length;
  return deltaNs < 0 && step > 0 ? -step : step;
}

/** Everyone can distinguish orange from blue; within either, steps differ in strength, and a bar says the same once more. */
const HUES = { slower: 70, faster: 240 } as const;
const CHROMAS = [0.005, 0.045, 0.075, 0.105, 0.135, 0.17] as const;
const LIGHTNESSES: Record<ThemeName, readonly number[]> = {
  dark: [0.3, 0.66, 0.69, 0.72, 0.75, 0.78],
  light: [0.94, 0.9, 0.87, 0.83, 0.79, 0.75],
};

/** The colour of a step; text on top of it is readable in both themes. */
export function stepColour(step: number, theme: ThemeName): Colour {
  const size = Math.abs(step);
  return fromOklch(LIGHTNESSES[theme][size] ?? 0, CHROMAS[size] ?? 0, step < 0 ? HUES.faster : HUES.slower);
}

/** Pixels of the bar inside an item: at its foot where slower, at its top where faster, thicker with every step. */
export const stepBar = (step: number): number =>
  step === 0 ? 0 : step > 0 ? (step + 1) / 2 : (step - 1) / 2;

/** What a step begins at: `2 µs`; `2,000` of a clock that only counts. */
export function stepText(step: number, { isCounting }: Pick<Clock, 'isCounting'> = TIME): string {
  const least = ns(DELTA_STEPS_NS[Math.abs(step) - 1] ?? 0);
  if (isCounting) return groupDigits(least);
  const unit = unitOf(least);
  return exactText(least, unit);
}
