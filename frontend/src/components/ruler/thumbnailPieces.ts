import { casePieces, type Stage } from './latePart';
import type { RulerPiece } from './rulerPieces';

/** What the catalog knows of a worst case besides its sentence. */
export interface ThumbnailRuler {
  /** At least one; they add up to the case. */
  readonly stages: readonly Stage[];
  /** What took most of it. */
  readonly late: readonly { readonly start_ns: number; readonly duration_ns: number }[];
}

/** A ruler of the catalog: the stages, and over them the late part; where that is unknown, the widest of them. */
export function thumbnailPieces({ stages, late }: ThumbnailRuler): readonly RulerPiece[] {
  const start = stages[0]?.start_ns ?? 0;
  const end = stages.reduce((last, { duration_ns }) => last + duration_ns, start);
  const steps = casePieces({ t: start, end, stages });
  if (late.length === 0) return steps;
  return [
    ...steps.map((step) => ({ ...step, isLate: false })),
    ...late.map(({ start_ns, duration_ns }, index) => ({
      id: `late-${index + 1}`,
      start: start_ns,
      end: start_ns + duration_ns,
      name: '',
      length: '',
      isLate: true,
    })),
  ];
}
