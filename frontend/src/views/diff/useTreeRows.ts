import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { useFocusLater } from '../../components/table/rowKeys';
import type { DiffRow } from './diffTree';

interface TreeRowsInput {
  readonly view: TreeView;
  readonly selected: number | undefined;
  readonly onSelect: (row: number) => void;
  readonly onToggle: (row: DiffRow) => void;
}

interface TreeItem {
  readonly row: DiffRow;
  /** Among the rows that are shown. */
  readonly index: number;
  readonly top: number;
}

/** As high as `--row`. */
const ROW_PX = 24;
const HEAD_PX = 24;

/** The rows that are in sight and the current one, wherever it is: the keys move from it, so it has to be there. */
export function useTreeRows({ view, selected, onSelect, onToggle }: TreeRowsInput) {
  const { shown } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const indexOf = useMemo(() => new Map(shown.map(({ id }, index) => [id, index])), [shown]);
  const at = (selected === undefined ? undefined : indexOf.get(selected)) ?? 0;
  const from = shown[at];
  const virtualizer = useTreeVirtualizer(scroller, shown.length, at);
  const focusLater = useFocusLater(scroller);

  // Only what is newly chosen comes into sight: who opens rows elsewhere stays there.
  const revealed = useRef<number>(undefined);
  useEffect(() => {
    const index = selected === undefined ? undefined : indexOf.get(selected);
    if (index !== undefined && revealed.current !== selected) virtualizer.scrollToIndex(index);
    if (index !== undefined || selected === undefined) revealed.current = selected;
  }, [selected, indexOf, virtualizer]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = from && nextRow(view, from, event.key);
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (step.toggled) onToggle(step.toggled);
    if (step.to === undefined) return;
    onSelect(step.to);
    focusLater(`[data-row='${step.to}']`);
  };
  const items = virtualizer.getVirtualItems().flatMap(({ index, start }): TreeItem | readonly [] => {
    const row = shown[index];
    return row === undefined ? [] : { row, index, top: start - HEAD_PX };
  });
  return { scroller, items, height: shown.length * ROW_PX, current: from?.id, onKeyDown };
}

function useTreeVirtualizer(scroller: RefObject<HTMLDivElement | null>, count: number, always: number) {
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([always, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
    [always],
  );
  // oxlint-disable-next-line react/incompatible-library -- what it returns stays in this file
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    // The head stays over the first rows in sight.
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor,
  });
}

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
