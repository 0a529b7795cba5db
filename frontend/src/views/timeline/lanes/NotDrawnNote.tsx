import { Button } from '../../../components/button/Button';
import { groupDigits } from '../../../lib/ns';
import { ranges } from '../../../lib/ranges';
import type { NotDrawn } from './notDrawn';
import styles from './NotDrawnNote.module.css';

interface NotDrawnNoteProps extends NotDrawn {
  readonly onShow: (cpus: readonly number[]) => void;
}

/** Above the lanes: that there are more than one page can hold, and the way to the others. */
export function NotDrawnNote({ laneCount, of, next, isChosen, onShow }: NotDrawnNoteProps) {
  return (
    <p className={styles.note} role="status">
      {`${groupDigits(laneCount)} of ${groupDigits(of)} lanes do not fit on one page. `}
      {next.length > 0 && <Button onClick={() => onShow(next)}>{`Show CPU ${ranges(next)}`}</Button>}
      {isChosen && <Button onClick={() => onShow([])}>Show the first CPUs</Button>}
      {!isChosen && <span className={styles.quiet}>or enter CPUs in the field above</span>}
    </p>
  );
}
