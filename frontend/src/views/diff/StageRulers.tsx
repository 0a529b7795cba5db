import type { DiffAnswer, SideName } from '../../api/diff';
import { useClock } from '../../components/clock/useClock';
import { Ruler } from '../../components/ruler/Ruler';
import type { RulerPiece } from '../../components/ruler/rulerPieces';
import { TIME, type Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';

const GUTTER_PX = 104;

/** Both cases as rulers on one time scale; of the slower one, the stage that makes most of the difference in the accent. */
export function StageRulers({ answer }: { readonly answer: DiffAnswer }) {
  const clock = useClock();
  if (answer.stages.length === 0) return null;
  const end = Math.max(1, answer.abnormal.duration_ns, answer.normal.duration_ns);
  return (
    <section aria-label="Stages to scale">
      {(['abnormal', 'normal'] as const).map((side) => (
        <Ruler
          key={side}
          name={side}
          look={side === 'abnormal' ? 'case' : 'normal'}
          pieces={stagePieces(answer, side, clock)}
          window={{ start: 0, end }}
          gutter={GUTTER_PX}
          note={side === 'normal' ? clock.duration(ns(answer.normal.duration_ns)) : undefined}
        />
      ))}
    </section>
  );
}

/** The stages of one side from its start on. */
export function stagePieces(
  { stages, delta_ns }: Pick<DiffAnswer, 'stages' | 'delta_ns'>,
  side: SideName,
  clock: Pick<Clock, 'brief'> = TIME,
): readonly RulerPiece[] {
  const growth = stages.map((stage) => stage.delta_ns);
  const isSlower = side === 'abnormal' && delta_ns > 0;
  const late = isSlower ? growth.indexOf(Math.max(...growth)) : -1;
  let start = 0;
  return stages.map((stage, at) => {
    const length = stage[`${side}_ns`];
    const piece = {
      id: `stage-${at}`,
      start,
      end: start + length,
      name: visibleText(`${stage.from} → ${stage.to}`),
      length: clock.brief(ns(length)),
      isLate: at === late,
    };
    start += length;
    return piece;
  });
}
