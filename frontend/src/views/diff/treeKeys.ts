import type { DiffRow } from './diffTree';

/** The rows in sight, and which of them are open. */
export interface TreeView {
  readonly shown: readonly DiffRow[];
  /** Absent for rows with nothing below. */
  readonly openness: (row: DiffRow) => 'open' | 'closed' | undefined;
}

export interface TreeStep {
  readonly to?: number | undefined;
  readonly toggled?: DiffRow;
}

/** What a key does on a row, as in every tree: → opens, then goes inside; ← closes, then goes out. */
export function nextRow({ shown, openness }: TreeView, from: DiffRow, key: string): TreeStep | undefined {
  const at = shown.findIndex(({ id }) => id === from.id);
  const stepTo = (index: number): TreeStep => ({ to: shown[index]?.id });
  switch (key) {
    case 'ArrowDown':
      return stepTo(at + 1);
    case 'ArrowUp':
      return stepTo(at - 1);
    case 'Home':
      return stepTo(0);
    case 'End':
      return stepTo(shown.length - 1);
    case 'ArrowRight':
      if (openness(from) === 'closed') return { toggled: from };
      return openness(from) === 'open' ? stepTo(at + 1) : {};
    case 'ArrowLeft':
      return openness(from) === 'open' ? { toggled: from } : { to: from.parent };
    case 'Enter':
    case ' ':
      return openness(from) === undefined ? { to: from.id } : { toggled: from };
    default:
      return undefined;
  }
}
