import type { Colour, ThemeName } from '../../lib/colour';
import { taskColour } from '../../lib/colour';
import type { Palette } from '../../lib/palette';
import { isKernelThread } from '../../lib/taskKind';

/** How a cause of many cases together is drawn on a canvas, as `CauseFill` draws one in the page. */
export interface CauseInk {
  /** Absent where only lines are drawn. */
  readonly fill?: Colour;
  /** Diagonal lines, a number of pixels apart. */
  readonly hatch?: { readonly colour: Colour; readonly spacing: number };
  /** An edge around nothing. */
  readonly edge?: Colour;
}

/** The ink of a cause; `name` is that of a task without its pid, or of what else took the time. */
export function causeInk(
  cause: string,
  name: string,
  { name: theme, palette }: { readonly name: ThemeName; readonly palette: Palette },
): CauseInk {
  switch (cause) {
    case 'task':
    case 'itself':
      return { fill: isKernelThread(name) ? palette.kernelThread : taskColour(name, theme) };
    case 'irq':
    case 'nmi':
      return { fill: palette.irq };
    case 'softirq':
      return { fill: palette.softirq };
    case 'irqsoff':
      return { hatch: { colour: palette.irqsOff, spacing: 4 } };
    case 'preemptoff':
      return { hatch: { colour: palette.preemptOff, spacing: 8 } };
    case 'idle':
      return { edge: palette.edge };
    case 'gap':
      return { hatch: { colour: palette.loss, spacing: 6 } };
    case 'noise':
      return { fill: palette.loss };
    case 'unknown':
      return { hatch: { colour: palette.loss, spacing: 12 } };
    default:
      return { fill: palette.otherSlice };
  }
}
