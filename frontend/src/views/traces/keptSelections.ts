import { NOTHING, type Selection } from './selection';

/** What was selected among the traces that a filter let through. */
export interface Chosen {
  readonly filter: string;
  readonly selection: Selection;
}

const STORED_AS = 'jitterscope.selections';
/** Entries of the history beyond these are hardly gone back to, and the room is limited. */
const MOST_ENTRIES = 20;

/** What was selected in each entry of this tab's history, also before the page was loaded anew. */
export class KeptSelections {
  readonly #kept: Map<string, Chosen>;

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#kept = new Map(stored(storage));
  }

  get(key: string): Chosen | undefined {
    return this.#kept.get(key);
  }

  set(key: string, chosen: Chosen): void {
    this.#kept.delete(key);
    this.#kept.set(key, chosen);
    const entries = [...this.#kept].filter(([, { selection }]) => selection !== NOTHING).slice(-MOST_ENTRIES);
    try {
      this.storage.setItem(
        STORED_AS,
        JSON.stringify(entries, (_, value: unknown) => plain(value)),
      );
    } catch {
      // A browser may keep nothing, or has no room left: then the selection lasts as long as the page.
    }
  }
}

const plain = (value: unknown) => (value instanceof Set ? [...value] : value);

function stored(storage: Pick<Storage, 'getItem'>): readonly (readonly [string, Chosen])[] {
  try {
    const entries: unknown = JSON.parse(storage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(entries) ? entries.flatMap(entryOf) : [];
  } catch {
    return [];
  }
}

/** What another version may have stored is not taken. */
function entryOf(entry: unknown): readonly (readonly [string, Chosen])[] {
  if (!Array.isArray(entry)) return [];
  const [key, chosen] = entry as readonly unknown[]; // an array's elements are any
  if (typeof key !== 'string' || !isRecord(chosen) || !isRecord(chosen['selection'])) return [];
  const { filter } = chosen;
  const selection = selectionOf(chosen['selection']);
  return typeof filter === 'string' && selection ? [[key, { filter, selection }]] : [];
}

function selectionOf(one: Readonly<Record<string, unknown>>): Selection | undefined {
  const { kind, ids, except, total, asOf, anchor } = one;
  const from = typeof anchor === 'string' ? { anchor } : {};
  if (kind === 'some' && isTexts(ids)) return { kind, ids: new Set(ids), ...from };
  if (kind === 'matching' && isTexts(except) && typeof total === 'number' && typeof asOf === 'string') {
    return { kind, except: new Set(except), total, asOf, ...from };
  }
  return undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
