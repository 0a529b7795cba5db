/** `#rrggbb`: the one spelling that style sheets, canvas and ECharts all read. */
export type Colour = `#${string}`;

export type ThemeName = 'dark' | 'light';

interface TaskShade {
  readonly lightness: number;
  readonly chroma: number;
}

// Equal lightness, so that no task looks more important than another; text on top stays readable in both themes.
const TASK_SHADE: Record<ThemeName, TaskShade> = {
  dark: { lightness: 0.68, chroma: 0.1 },
  light: { lightness: 0.72, chroma: 0.1 },
};

// Vermilion and orange belong to interrupts, softirqs and abnormal things: tasks keep out of those hues.
const FIRST_TASK_HUE = 105;
const TASK_HUE_RANGE = 250;

/** The hue of a task, only by its name: the same in every trace, on every machine. Degrees, [105, 355). */
export function taskHue(comm: string): number {
  return FIRST_TASK_HUE + (hashText(comm) % TASK_HUE_RANGE);
}

// Threads of one name are told apart by lightness and a little hue, in steps too small to make one of them look
// important or of another name: nine shades, so that two of 44 hackbench that run one after the other seldom share one.
const THREAD_LIGHTNESS = [0, 0.05, -0.05] as const;
const THREAD_HUES = [0, 18, -18] as const;

/** The colour of a user task's slices: the hue of its name, in a shade of its own where the pid is known. */
export function taskColour(comm: string, theme: ThemeName, pid?: number | null): Colour {
  return threadColour(TASK_SHADE[theme], comm, pid);
}

// Dark enough in the light theme for a thin line and the name at it.
const LINE_SHADE: Record<ThemeName, TaskShade> = {
  dark: { lightness: 0.76, chroma: 0.13 },
  light: { lightness: 0.5, chroma: 0.13 },
};

/** The same hue as a thin line, and as the name at it. */
export function taskLineColour(comm: string, theme: ThemeName, pid?: number | null): Colour {
  return threadColour(LINE_SHADE[theme], comm, pid);
}

/** The colour of a line that is no task's. */
export function lineColour(hue: number, theme: ThemeName): Colour {
  const { lightness, chroma } = LINE_SHADE[theme];
  return fromOklch(lightness, chroma, hue);
}

function threadColour({ lightness, chroma }: TaskShade, comm: string, pid?: number | null): Colour {
  const thread = Math.max(0, pid ?? 0);
  const lighter = THREAD_LIGHTNESS[thread % 3] ?? 0;
  const turn = THREAD_HUES[Math.floor(thread / 3) % 3] ?? 0;
  const last = FIRST_TASK_HUE + TASK_HUE_RANGE;
  const hue = Math.min(last, Math.max(FIRST_TASK_HUE, taskHue(comm) + turn));
  return fromOklch(lightness + lighter, chroma, hue);
}

/** FNV-1a over UTF-16 code units, mixed once more so that names which differ in the last letter land far apart. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** sRGB of an OKLCH colour; chroma is lowered, never the lightness, until the screen can show it. */
export function fromOklch(lightness: number, chroma: number, hueDegrees: number): Colour {
  for (let reduced = chroma; reduced > 0; reduced -= 0.005) {
    const rgb = oklchToRgb(lightness, reduced, hueDegrees);
    if (rgb.every((channel) => channel >= 0 && channel <= 1)) return toHex(rgb);
  }
  return toHex(oklchToRgb(lightness, 0, hueDegrees));
}

/** WCAG 2.2 contrast ratio of two colours, 1 to 21. */
export function contrastRatio(first: Colour, second: Colour): number {
  const [low = 0, high = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
function oklchToRgb(lightness: number, chroma: number, hueDegrees: number): [number, number, number] {
  const hue = (hueDegrees * Math.PI) / 180;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function encode(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function toHex(rgb: readonly number[]): Colour {
  const digits = rgb.map((channel) =>
    Math.round(Math.min(1, Math.max(0, channel)) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${digits.join('')}`;
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// As bright as the tasks on the lanes, so that text on top reads alike.
const LIGHTNESS: Record<ThemeName, number> = { dark: 0.7, light: 0.76 };
const CHROMA = 0.075;

// The entries of interrupts are warm, as interrupts are on the timeline; everything else is cool.
const COOL = { first: 150, range: 150 };
const WARM = { first: 35, range: 45 };

/** The colour of a function, only by its name: the same in every chart, at every zoom, under every caller. */
export function symbolColour(symbol: string, theme: ThemeName): Colour {
  const { first, range } = isIrqEntry(symbol) ? WARM : COOL;
  return fromOklch(LIGHTNESS[theme], CHROMA, first + (hashText(symbol) % range));
}

// How interrupts come into the kernel on x86, arm64, arm and riscv, and the softirqs that follow them, Linux 4.19 to 6.12.
const IRQ_ENTRY =
  /^(?:(?:__)?(?:asm_)?sysvec_|smp_\w+_interrupt$|(?:asm_)?common_interrupt|do_IRQ$|gic_handle_irq|el[01]\w*_(?:irq|interrupt)|__irq_svc|__irq_usr|generic_handle_arch_irq|handle_arch_irq|do_irq$|riscv_intc_irq|irq_enter|irq_exit|__irq_exit_rcu|__do_softirq|do_softirq|handle_softirqs|exc_nmi|asm_exc_nmi)/;

/** Whether a function of this name is where an interrupt or softirq begins. */
export function isIrqEntry(symbol: string): boolean {
  return IRQ_ENTRY.test(symbol);
}
