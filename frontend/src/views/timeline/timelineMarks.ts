import type { LaneMark } from '../../components/chart/LaneOverlay';
import { durationText, ns, type Ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';

interface MarkParts {
  readonly a: Ns | undefined;
  readonly b: Ns | undefined;
  /** Instant of the event that is pointed at or selected in the table. */
  readonly event: number | undefined;
  readonly notes: readonly { readonly t: number; readonly text: string }[];
}

/** The lines across the lanes: notes of the file, the event of the table, and the cursors with what is between them. */
export function timelineMarks({ a, b, event, notes }: MarkParts): readonly LaneMark[] {
  const between = a !== undefined && b !== undefined ? ` ${durationText(ns(Math.abs(b - a)))}` : '';
  return [
    ...notes.map((note, index): LaneMark => ({
      id: `note ${index}`,
      at: note.t,
      kind: 'note',
      text: visibleText(note.text),
    })),
    ...(event === undefined ? [] : [{ id: 'event', at: event, kind: 'event' } as const]),
    ...(a === undefined ? [] : [{ id: 'a', at: a, kind: 'cursor', text: 'A' } as const]),
    ...(b === undefined ? [] : [{ id: 'b', at: b, kind: 'cursor', text: `B${between}` } as const]),
  ];
}
