import { LANE_FONT_SIZE } from './brush';
import type { LaneScene } from './laneScene';
import { PLATE_PX, textPx } from './laneTexts';
import type { LaneInks, Painter } from './painter';

const INSET_PX = 4;
/** Of a text, from the edge of the row that it is about. */
const MIDDLE_PX = 8;
/** Rows from this height on have both ends of their scale where they are. */
const TWO_LINES_PX = 2 * (LANE_FONT_SIZE + 3);

/** What the foot and the top of each step function stand for, at the left of its row. */
export function stepScales({ rows, tops }: LaneScene, { onGround, ground }: LaneInks): Painter {
  return (brush, view) => {
    const write = (text: string, y: number) => {
      if (y < view.y || y > view.y + view.height) return;
      // A line that passes between two letters would be read as a hyphen.
      brush.colour(ground);
      brush.rect(view.x, y - PLATE_PX / 2, textPx(text) + 2 * INSET_PX, PLATE_PX);
      brush.colour(onGround);
      brush.text(text, view.x + INSET_PX, y);
    };
    rows.forEach(({ steps, height }, index) => {
      if (steps === undefined) return;
      const top = view.y + (tops[index] ?? 0) - view.scroll;
      if (height < TWO_LINES_PX) {
        write(`${steps.minText}–${steps.maxText}`, top + height / 2);
      } else {
        write(steps.maxText, top + MIDDLE_PX);
        write(steps.minText, top + height - MIDDLE_PX);
      }
    });
  };
}
