import { TIME, type Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import type { RulerPiece } from './rulerPieces';

/** What the ruler needs of a stage; the API's own types have all of it. */
export interface Stage {
  readonly from: string;
  readonly to: string;
  readonly start_ns: number;
  readonly duration_ns: number;
}

/** What the ruler needs of a link of the chain. */
interface Link {
  readonly start: number;
  readonly duration_ns: number;
  readonly subject: { readonly kind: string; readonly name: string; readonly pid: number | null } | null;
  readonly sentence: string;
  /** Of the links that took most of their chain: what the verdict is about. */
  readonly is_late: boolean;
  readonly deeper: { readonly links: readonly Link[] | null } | null;
}

interface Explained {
  readonly t: number;
  readonly end: number;
  readonly stages: readonly Stage[];
  readonly why?: readonly Link[];
}

/** What the lanes show in the colour of what is late: tasks by their pids, interrupts and softirqs by their names. */
export interface Culprits {
  readonly pids: ReadonlySet<number>;
  readonly handlers: ReadonlySet<string>;
}

/** What the late part is about, and what that waited for in its turn; never the task of the case itself. */
export function culprits({
  pid,
  why = [],
}: { readonly pid: number | null } & Pick<Explained, 'why'>): Culprits {
  const subjects = lateSubjects(why);
  const pids = subjects.map((subject) => subject.pid ?? 0);
  return {
    pids: new Set(pids.filter((one) => one > 0 && one !== pid)),
    handlers: new Set(subjects.flatMap(({ kind, name }) => (HANDLERS.has(kind) ? visibleText(name) : []))),
  };
}

const HANDLERS: ReadonlySet<string> = new Set(['interrupt', 'softirq']);

function lateSubjects(why: readonly Link[]): readonly NonNullable<Link['subject']>[] {
  return why.flatMap(({ subject, deeper, is_late: isLate }) =>
    isLate ? [...(subject ? [subject] : []), ...lateSubjects(deeper?.links ?? [])] : [],
  );
}

/** The widest stage, the first of equals; -1 where there is none. */
export function widestStage(stages: readonly Stage[]): number {
  const widest = stages.reduce((most, { duration_ns }) => Math.max(most, duration_ns), 0);
  return stages.findIndex(({ duration_ns }) => duration_ns === widest);
}

/** The duration at the end of a sentence, which the ruler shows elsewhere. */
const LASTING = / (?:for|took) [\d.,]+ (?:ns|µs|ms|s|clock ticks?)$/u;

/**
 * A case on the ruler: its stages, or one from end to end, and over them its late part. That is what took most of the
 * chain, and without a chain the widest stage. What is all of a case is no part of it: in the accent it would outshine
 * the words, and show nothing in proportion.
 */
export function casePieces(
  latencyCase: Explained,
  clock: Pick<Clock, 'brief'> = TIME,
): readonly RulerPiece[] {
  const length: LengthText = (duration) => clock.brief(ns(duration));
  const { t, end, why = [] } = latencyCase;
  const stages = stagePieces(latencyCase, length);
  const late = latePieces(why, length);
  const isPart = stages.length > 1 || (why.length > 0 && lengthOf(late) < end - t);
  const widest = isPart && why.length === 0 ? widestStage(latencyCase.stages) : -1;
  return [
    ...stages.map((piece, index) => ({ ...piece, isLate: index === widest })),
    ...late.map((piece) => ({ ...piece, isLate: isPart })),
  ];
}

type LengthText = (duration: number) => string;

function stagePieces(
  { t, end, stages }: Explained,
  length: LengthText,
): readonly Omit<RulerPiece, 'isLate'>[] {
  if (stages.length === 0)
    return [{ id: 'all', start: t, end, name: 'start → end', length: length(end - t) }];
  return stages.map((stage, index) => ({
    id: `stage-${index + 1}`,
    start: stage.start_ns,
    end: stage.start_ns + stage.duration_ns,
    name: visibleText(`${stage.from} → ${stage.to}`),
    length: length(stage.duration_ns),
  }));
}

function latePieces(why: readonly Link[], length: LengthText): readonly Omit<RulerPiece, 'isLate'>[] {
  return why.flatMap((link, index) =>
    link.is_late
      ? [
          {
            id: `link-${index + 1}`,
            start: link.start,
            end: link.start + link.duration_ns,
            name: visibleText(link.subject?.name ?? link.sentence.replace(LASTING, '')),
            length: length(link.duration_ns),
          },
        ]
      : [],
  );
}

const lengthOf = (pieces: readonly Pick<RulerPiece, 'start' | 'end'>[]) =>
  pieces.reduce((sum, { start, end }) => sum + end - start, 0);

/** The stages of the normal case from where this one began, so that both are read on one scale. */
export function normalPieces(normal: Explained, start: number): readonly RulerPiece[] {
  const shift = start - normal.t;
  return casePieces({ ...normal, why: [] }).map((piece) => ({
    ...piece,
    start: piece.start + shift,
    end: piece.end + shift,
    isLate: false,
  }));
}
