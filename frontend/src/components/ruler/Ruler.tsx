import { useElementSize } from '../chart/useElementSize';
import { spanOf, type TimeWindow } from '../chart/timeWindow';
import styles from './Ruler.module.css';
import { isRoomFor, pieceAt, pieceText, placePieces, type RulerPiece } from './rulerPieces';

/** Pixels between the last piece and the note. */
const GAP_PX = 8;

interface RulerProps {
  readonly pieces: readonly RulerPiece[];
  readonly window: TimeWindow;
  /** Pixels left of the track, where its name is written. */
  readonly gutter: number;
  readonly name: string;
  /** Thin for what the case is compared with. */
  readonly look: 'case' | 'normal';
  /** Beside its name: how long it is. */
  readonly length?: string | undefined;
  /** Right of the last piece, where there is room; never over the pieces, which would look like two. */
  readonly note?: string | undefined;
  readonly lit?: TimeWindow | undefined;
  readonly onPoint?: (id: string | undefined) => void;
  readonly onPick?: (id: string) => void;
}

/**
 * The way of one latency in proportion to time: its stages in quiet greys, its late part in the accent. A picture
 * of what is said beside it in words, so those who cannot see it miss nothing.
 */
export function Ruler({ pieces, window, gutter, name, look, length, note, ...pointing }: RulerProps) {
  const { lit, onPoint, onPick } = pointing;
  const [size, attach] = useElementSize();
  const placed = placePieces(pieces, window, size.width);
  const end = placed.reduce((most, { left, width }) => Math.max(most, left + width), 0);
  const at = (event: { readonly clientX: number; readonly currentTarget: Element }) =>
    pieceAt(placed, event.clientX - event.currentTarget.getBoundingClientRect().left)?.id;
  return (
    <div className={styles.ruler} data-look={look} aria-hidden>
      <span className={styles.name} style={{ width: gutter }}>
        {name}
        {length !== undefined && <span>{length}</span>}
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
        {placed.map((piece, index) => (
          <span
            key={piece.id}
            className={styles.piece}
            data-late={piece.isLate || undefined}
            data-joined={isJoined(placed[index - 1], piece) || undefined}
            style={{ left: piece.left, width: piece.width }}
            title={pieceText(piece)}
          >
            {piece.text}
          </span>
        ))}
        {lit && size.width > 0 && <span className={styles.lit} style={stretchOf(lit, window, size.width)} />}
        {note !== undefined && isRoomFor(note, size.width - end) && (
          <span style={{ left: end + GAP_PX }} className={styles.note}>
            {note}
          </span>
        )}
      </div>
    </div>
  );
}

/** Late parts that follow each other at once would look like one. */
const isJoined = (before: RulerPiece | undefined, piece: RulerPiece) =>
  piece.isLate && before?.isLate === true && before.end === piece.start;

function stretchOf({ start, end }: TimeWindow, window: TimeWindow, trackPx: number) {
  const scale = trackPx / Math.max(1, spanOf(window));
  const left = Math.max(-4, (start - window.start) * scale);
  return { left, width: Math.max(2, Math.min(trackPx + 4, (end - window.start) * scale) - left) };
}
