import styles from './RulerThumbnail.module.css';
import { pieceText, type RulerPiece } from './rulerPieces';
import { thumbnailPieces, type ThumbnailRuler } from './thumbnailPieces';

/**
 * The ruler of a case as a line under its sentence; none where all of it is one stretch. A picture of what that says, so those who cannot see it miss
 * nothing; its stages on hover.
 */
export function RulerThumbnail({ ruler }: { readonly ruler: ThumbnailRuler }) {
  const pieces = thumbnailPieces(ruler);
  const start = pieces[0]?.start ?? 0;
  const end = pieces.reduce((last, piece) => Math.max(last, piece.end), start + 1);
  // Of one stretch from end to end there is nothing to see in proportion.
  const isWhole = (piece: RulerPiece) => piece.start <= start && piece.end >= end;
  if (pieces.length === 1 || pieces.some((piece) => piece.isLate && isWhole(piece))) return null;
  const percent = (length: number) => `${(length / (end - start)) * 100}%`;
  const stages = pieces.filter(({ name }) => name !== '').map(pieceText);
  return (
    <div className={styles.track} title={stages.join('\n')} aria-hidden data-testid="ruler-thumbnail">
      {pieces.map((piece) => (
        <span
          key={piece.id}
          className={styles.piece}
          data-late={piece.isLate || undefined}
          style={{ left: percent(piece.start - start), width: percent(piece.end - piece.start) }}
        />
      ))}
    </div>
  );
}
