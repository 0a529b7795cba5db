import { single } from 'fuzzysort';

/** Something that the palette leads to. */
export interface PaletteItem {
  readonly id: string;
  /** What it is: `action`, `task`. */
  readonly kind: string;
  readonly title: string;
  /** What else is known of it, in grey; is searched, too. */
  readonly note?: string;
  /** The keys that do the same. */
  readonly keys?: readonly string[];
  /** It is of what the page shows, and comes before what is elsewhere. */
  readonly isNear?: boolean;
  readonly run: () => void;
}

/** A stretch of a title, and whether it is what was typed. */
export interface TitlePiece {
  readonly text: string;
  readonly isMatch: boolean;
}

export interface RankedItem {
  readonly item: PaletteItem;
  readonly pieces: readonly TitlePiece[];
}

export interface Ranking {
  readonly shown: readonly RankedItem[];
  /** Of all, also of those that are not shown. */
  readonly total: number;
}

const MOST_SHOWN = 60;
/** Fewer letters in a row and more between them are taken for an accident. */
const LEAST_SCORE = 0.35;
const LESS_THAN_TITLE = 0.9;
const BONUS_OF_BEGINNING = 1;
/** Not enough to pass a name that begins with what is typed. */
const BONUS_OF_NEAR = 0.6;
const STEPS_OF_NEAR = 4;
/** Longer names are matched by their beginning: a search costs as much as what it looks through. */
const MOST_LETTERS = 200;

/**
 * The items that have the letters of `query` in this order, word for word in any order, the best match first; all of
 * them, as they come, where nothing is typed. A match in the title comes before one that needs its kind or
 * note.
 */
export function rankItems(items: readonly PaletteItem[], query: string): Ranking {
  const wanted = query.trim();
  if (wanted === '') {
    const shown = items.slice(0, MOST_SHOWN).map((item) => ({ item, pieces: whole(item.title) }));
    return { shown, total: items.length };
  }
  const matches = items
    .map((item) => match(item, wanted))
    .filter(({ score }) => score >= LEAST_SCORE)
    .map((one) => (one.item.isNear === true ? { ...one, score: nearScore(one.score) } : one))
    .toSorted((a, b) => b.score - a.score);
  return { shown: matches.slice(0, MOST_SHOWN), total: matches.length };
}

/** Of those that match about as well, the first ones stay first: cases come with the worst one first. */
const nearScore = (score: number) => Math.round(score * STEPS_OF_NEAR) / STEPS_OF_NEAR + BONUS_OF_NEAR;

/** How well an item matches: a name that begins with what is typed comes first. */
function match(item: PaletteItem, wanted: string): RankedItem & { readonly score: number } {
  const { kind, title, note = '' } = item;
  const inTitle = single(wanted, cut(title));
  const inAll = single(wanted, cut(`${kind} ${title} ${note}`));
  const begins = title.toLowerCase().startsWith(wanted.toLowerCase());
  const titleScore = (inTitle?.score ?? 0) + (begins ? BONUS_OF_BEGINNING : 0);
  return {
    item,
    // Letters strewn over a title are not why it was found.
    pieces: inTitle === null || inTitle.score < LEAST_SCORE ? whole(title) : piecesOf(title, inTitle.indexes),
    score: Math.max(titleScore, LESS_THAN_TITLE * (inAll?.score ?? 0)),
  };
}

const cut = (text: string) => text.slice(0, MOST_LETTERS);

const whole = (text: string): readonly TitlePiece[] => [{ text, isMatch: false }];

/** The title cut where matched letters begin and end. */
function piecesOf(title: string, matched: readonly number[]): readonly TitlePiece[] {
  const isMatched = new Set(matched);
  const pieces: { text: string; isMatch: boolean }[] = [];
  for (let at = 0; at < title.length; at += 1) {
    const isMatch = isMatched.has(at);
    const last = pieces.at(-1);
    if (last?.isMatch === isMatch) last.text += title.charAt(at);
    else pieces.push({ text: title.charAt(at), isMatch });
  }
  return pieces;
}
