import { LANE_FONT_SIZE } from './brush';
import { lookOf, type ItemLook, type LaneRow, type LaneScene } from './laneScene';
import type { LaneInks, LaneView, Painter } from './painter';

const TEXT_PADDING_PX = 4;
// Monospaced faces are 0.6 em wide to within a hundredth; measuring each text would cost more than drawing it.
const CHARACTER_PX = LANE_FONT_SIZE * 0.602;
const FEWEST_CHARACTERS = 3;

/** The ground under a text on what is not filled. */
export const PLATE_PX = 14;
/** How much of a hatched item stays hatched beside its name. */
const HATCH_SEEN_PX = 20;

/**
 * The names of items, on a plate of ground where the item is not filled, else in a halo of the item's colour: lines of
 * cases and arrows that cross an item are drawn before them.
 */
export function laneTexts(scene: LaneScene, { onItem, onGround, ground }: LaneInks): Painter {
  return (brush, view) => {
    scene.rows.forEach((row, rowIndex) => {
      const { items, height } = row;
      const y = view.y + (scene.tops[rowIndex] ?? 0) + height / 2 - view.scroll;
      if (items.text === undefined || height < LANE_FONT_SIZE || y < view.y || y > view.y + view.height)
        return;
      const places = fittingTexts(scene, row, view);
      const onFills = places.filter(({ look }) => look === 'filled');
      const onPlates = places.filter(({ look }) => look === 'hatched' || look === 'outlined');
      const onFaint = places.filter(({ look }) => look === 'faint');
      brush.colour(ground);
      for (const { x, text } of onPlates) {
        const width = textPx(text) + TEXT_PADDING_PX;
        brush.rect(x - TEXT_PADDING_PX / 2, y - PLATE_PX / 2, width, PLATE_PX);
      }
      for (const { x, text, colour } of [...onFills, ...onFaint]) {
        brush.colour(colour);
        brush.halo(text, x, y + 0.5);
      }
      brush.colour(onItem);
      for (const { x, text } of onFills) brush.text(text, x, y + 0.5);
      brush.colour(onGround);
      for (const { x, text } of [...onPlates, ...onFaint]) brush.text(text, x, y + 0.5);
    });
  };
}

interface PlacedText {
  readonly x: number;
  readonly text: string;
  readonly look: ItemLook;
  /** Of the item. */
  readonly colour: string;
  /** Pixels of the bar that are in sight. */
  readonly room: number;
}

/** What is written into the items of a row, as far as it fits beside what is kept free of what is in sight. */
function fittingTexts(scene: LaneScene, row: LaneRow, view: LaneView): readonly PlacedText[] {
  const { items } = row;
  const places: PlacedText[] = [];
  for (let i = 0; i < items.start.length; i += 1) {
    const start = items.start[i] ?? 0;
    const duration = items.duration[i] ?? 0;
    const text = items.text?.[i];
    if (duration * view.scale < FEWEST_CHARACTERS * CHARACTER_PX || text === undefined) continue;
    const look = lookOf(row, i);
    const keptFreePx = look === 'hatched' ? HATCH_SEEN_PX : 0;
    const from = Math.max(view.x, view.x + (start - view.start) * view.scale);
    const to = Math.min(view.x + view.width, view.x + (start + duration - view.start) * view.scale);
    const shown = fitText(scene.texts[text] ?? '', to - from - 2 * TEXT_PADDING_PX - keptFreePx);
    if (shown === '') continue;
    const colour = scene.fills[items.fill[i] ?? -1] ?? '';
    places.push({ x: from + TEXT_PADDING_PX, text: shown, look, colour, room: to - from });
  }
  return legibleTexts(places);
}

/** Calls of several tasks may overlap in the row of a CPU: where their names would collide, the longest bar's is left. */
function legibleTexts(places: readonly PlacedText[]): readonly PlacedText[] {
  if (!places.some((place, i) => i > 0 && place.x < endOfText(places[i - 1]))) return places;
  const kept: PlacedText[] = [];
  for (const place of places.toSorted((one, other) => other.room - one.room))
    if (!kept.some((other) => place.x < endOfText(other) && other.x < endOfText(place))) kept.push(place);
  return kept;
}

function endOfText(place: PlacedText | undefined): number {
  return place === undefined ? -Infinity : place.x + textPx(place.text);
}

/** As much of `text` as is readable in `width` pixels, cut with an ellipsis; empty where that is too little. */
function fitText(text: string, width: number): string {
  const room = Math.floor(width / CHARACTER_PX);
  if (widthInCharacters(text) <= room) return text;
  if (room < FEWEST_CHARACTERS) return '';
  let cut = '';
  let used = 1;
  for (const character of text) {
    used += widthInCharacters(character);
    if (used > room) break;
    cut += character;
  }
  return `${cut}…`;
}

/** East Asian wide characters take two cells of a monospaced font, and so do emoji, which are two halves. */
function widthInCharacters(text: string): number {
  let width = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0x2e80 && (code < 0xd800 || code > 0xdfff)) width += 1;
  }
  return width;
}

/** Pixels that a text is wide. */
export const textPx = (text: string): number => widthInCharacters(text) * CHARACTER_PX;
