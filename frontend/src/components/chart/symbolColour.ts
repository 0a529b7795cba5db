import { fromOklch, hashText, type Colour, type ThemeName } from '../../lib/colour';

// As bright as the tasks on the lanes, so that text on top reads alike.
const LIGHTNESS: Record<ThemeName, number> = { dark: 0.7, light: 0.76 };
const CHROMA = 0.075;

// Interrupts and all they call are warm, as they are on the timeline; everything else is cool.
const COOL = { first: 150, range: 150 };
const WARM = { first: 35, range: 45 };

/** The colour of a function, from its name alone; `isInIrq` where it runs in or under an interrupt. */
export function symbolColour(symbol: string, isInIrq: boolean, theme: ThemeName): Colour {
  const { first, range } = isInIrq ? WARM : COOL;
  return fromOklch(LIGHTNESS[theme], CHROMA, first + (hashText(symbol) % range));
}
