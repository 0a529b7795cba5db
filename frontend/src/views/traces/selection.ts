/** Traces chosen in the catalog: some of the rows, or all that match, but for some. */
export type Selection =
  | {
      readonly kind: 'some';
      readonly ids: ReadonlySet<string>;
      /** The row that was chosen last: a stretch goes from there. */
      readonly anchor?: string;
    }
  | {
      readonly kind: 'matching';
      readonly except: ReadonlySet<string>;
      readonly total: number;
      /** The server's clock when they were counted: what is uploaded later is not among them. */
      readonly asOf: string;
      readonly anchor?: string;
    };

export const NOTHING: Selection = { kind: 'some', ids: new Set() };

export function isChosen(selection: Selection, id: string): boolean {
  return selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id);
}

export function chosenCount(selection: Selection): number {
  return selection.kind === 'some' ? selection.ids.size : selection.total - selection.except.size;
}

/** The selection with one row chosen, or no longer chosen. */
export function toggled(selection: Selection, id: string): Selection {
  return withRows(selection, [id], !isChosen(selection, id), id);
}

/** The rows from the one that was chosen last to `id` become what that one is. `rows` are in the order of the page. */
export function stretched(selection: Selection, rows: readonly string[], id: string): Selection {
  const from = selection.anchor === undefined ? -1 : rows.indexOf(selection.anchor);
  const to = rows.indexOf(id);
  if (from === -1 || to === -1) return toggled(selection, id);
  const stretch = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return withRows(selection, stretch, isChosen(selection, rows[from] ?? id), id);
}

/** Every row of the page chosen, or none of them where all were. */
export function pageToggled(selection: Selection, rows: readonly string[]): Selection {
  const areAll = rows.every((id) => isChosen(selection, id));
  return areAll ? NOTHING : withRows(selection, rows, true, undefined);
}

/** What the API is told: the ids, or the filter of the catalog with all that was taken out again. */
export function selectionBody(selection: Selection, filter: { readonly q: string; readonly label: string }) {
  if (selection.kind === 'some') return { ids: [...selection.ids] };
  return {
    matching: {
      q: filter.q,
      label: filter.label === '' ? [] : [filter.label],
      as_of: selection.asOf,
      except_ids: [...selection.except],
    },
  };
}

export type SelectionBody = ReturnType<typeof selectionBody>;

function withRows(
  selection: Selection,
  rows: readonly string[],
  isWanted: boolean,
  anchor: string | undefined,
): Selection {
  const isListed = selection.kind === 'some' ? isWanted : !isWanted;
  const listed = new Set(selection.kind === 'some' ? selection.ids : selection.except);
  for (const id of rows) {
    if (isListed) listed.add(id);
    else listed.delete(id);
  }
  const from = anchor === undefined ? {} : { anchor };
  if (selection.kind === 'some') return { kind: 'some', ids: listed, ...from };
  return { kind: 'matching', except: listed, total: selection.total, asOf: selection.asOf, ...from };
}
