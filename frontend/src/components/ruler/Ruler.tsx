import { useElementSize } from '../chart/useElementSize';
import { spanOf, type TimeWindow } from '../chart/timeWindow';
import styles from './Ruler.module.css';
import { pieceAt, placePieces, type RulerPiece } from './rulerPieces';

interface RulerProps {
  readonly pieces: readonly RulerPiece[];
  readonly window: TimeWindow;
  /** Pixels left of the track, where its name is written. */
  readonly gutter: number;
  readonly name: string;
  /** Thin for what the case is compared with. */
  readonly look: 'case' | 'normal';
  /** Drawn right of the last piece. */
  readonly note?: string | undefined;
  readonly lit?: TimeWindow | undefined;
  readonly onPoint?: (id: string | undefined) => void;
  readonly onPick?: (id: string) => void;
}

/**
 * The way of one latency in proportion to time: its stages in quiet greys, its late part in the accent. A picture
 * of what is said beside it in words, so those who cannot see it miss nothing.
 */
export function Ruler({ pieces, window, gutter, name, look, note, lit, onPoint, onPick }: RulerProps) {
  const [size, attach] = useElementSize();
  const placed = placePieces(pieces, window, size.width);
  const end = placed.reduce((most, { left, width }) => Math.max(most, left + width), 0);
  const at = (event: { readonly clientX: number; readonly currentTarget: Element }) =>
    pieceAt(placed, event.clientX - event.currentTarget.getBoundingClientRect().left)?.id;
  return (
    <div className={styles.ruler} data-look={look} aria-hidden>
      <span className={styles.name} style={{ width: gutter }}>
        {name}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the list of stages does the same for keys */}
      <div
        ref={attach}
        className={styles.track}
        data-testid={`ruler-${look}`}
        onPointerMove={(event) => onPoint?.(at(event))}
        onPointerLeave={() => onPoint?.(undefined)}
        onClick={(event) => {
          const id = at(event);
          if (id !== undefined) onPick?.(id);
        }}
      >
        {placed.map(({ id, left, width, text, isLate, name: title, length }) => (
          <span
            key={id}
            className={styles.piece}
            data-late={isLate || undefined}
            style={{ left, width }}
            title={`${title} ${length}`}
          >
            {text}
          </span>
        ))}
        {lit && size.width > 0 && <span className={styles.lit} style={stretchOf(lit, window, size.width)} />}
        {note !== undefined && (
          <span {...noteSide(placed[0]?.left ?? 0, end, size.width)} className={styles.note}>
            {note}
          </span>
        )}
      </div>
    </div>
  );
}

function stretchOf({ start, end }: TimeWindow, window: TimeWindow, trackPx: number) {
  const scale = trackPx / Math.max(1, spanOf(window));
  const left = Math.max(-4, (start - window.start) * scale);
  return { left, width: Math.max(2, Math.min(trackPx + 4, (end - window.start) * scale) - left) };
}

/** Pixels that most notes need. */
const NOTE_PX = 200;

/** Behind the pieces; where no room is left there, over their beginning, so that their end stays in sight. */
function noteSide(start: number, end: number, trackPx: number) {
  const hasRoom = end + NOTE_PX <= trackPx;
  return hasRoom ? { style: { left: end + 8 } } : { style: { left: start + 8 }, 'data-over': true };
}
