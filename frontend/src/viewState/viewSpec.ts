import type { Field } from './fields';

/** Search parameters as the URL has them: text only, nothing guessed from its looks. */
export type RawSearch = Readonly<Record<string, string>>;

export interface ViewReading<S> {
  readonly state: S;
  /** One sentence for each thing in the link that could not be used. */
  readonly notices: readonly string[];
}

/** How one view's state is read from a URL and written to it. */
export interface ViewSpec<S> {
  readonly version: number;
  readonly read: (raw: RawSearch) => ViewReading<S>;
  readonly write: (state: S) => RawSearch;
}

/** Turns the parameters of one version into those of the next. A step that has shipped is never edited. */
export type Upgrade = (raw: RawSearch) => RawSearch;

/**
 * The spec of a view whose state has the given fields. `upgrades[0]` leads from version 1 to 2, and so on, so the
 * version is one more than their number. Undeclared parameters are dropped; a bad value falls back with a
 * notice; a field at its fallback is left out of the URL.
 */
export function viewSpec<S extends object>(
  fields: { readonly [K in keyof S]: Field<S[K]> },
  upgrades: readonly Upgrade[] = [],
): ViewSpec<S> {
  const version = upgrades.length + 1;
  const names = Object.keys(fields) as (keyof S & string)[]; // Object.keys forgets the key type

  const read = (raw: RawSearch): ViewReading<S> => {
    const notices: string[] = [];
    const upgraded = upgrade(raw, upgrades, notices);
    const state: Partial<S> = {};
    for (const name of names) {
      const text = own(upgraded, name);
      const value = text === undefined ? undefined : fields[name].parse(text);
      if (text !== undefined && value === undefined) {
        notices.push(
          `The link has ${name}=${shorten(text)}, which is not ${fields[name].wants}; it was ignored.`,
        );
      }
      state[name] = value ?? fields[name].fallback;
    }
    return { state: state as S, notices }; // every name was set in the loop
  };

  const write = (state: S): RawSearch => {
    const written: [string, string][] = [];
    for (const name of names) {
      const text = fields[name].print(state[name]);
      if (text !== fields[name].print(fields[name].fallback)) written.push([name, text]);
    }
    return written.length === 0 ? {} : Object.fromEntries([['v', version.toString()], ...written]);
  };

  return { version, read, write };
}

/** A link without a version was typed by hand, so it speaks today's language. */
function upgrade(raw: RawSearch, upgrades: readonly Upgrade[], notices: string[]): RawSearch {
  const newest = upgrades.length + 1;
  const stamped = own(raw, 'v');
  if (stamped === undefined) return raw;
  const version = /^[1-9]\d{0,3}$/.test(stamped) ? Number(stamped) : undefined;
  if (version === undefined) {
    notices.push(
      `The link has v=${shorten(stamped)}, which is not a version; it was read as version ${newest}.`,
    );
    return raw;
  }
  if (version > newest) {
    notices.push('This link was made by a newer version of Jitterscope; parts of it may be missing.');
  }
  return upgrades.slice(version - 1).reduce((current, step) => step(current), raw);
}

function own(raw: RawSearch, name: string): string | undefined {
  return Object.hasOwn(raw, name) ? raw[name] : undefined;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
