import { Button } from '../../../components/button/Button';
import { groupDigits } from '../../../lib/ns';
import styles from './LaneHandles.module.css';
import type { LaneArrangement } from './useLaneArrangement';

interface LaneToolsProps {
  readonly arrangement: LaneArrangement;
  /** Single lanes that are left out. */
  readonly hidden: readonly string[];
}

/** The lanes that are hidden one by one, and the way back to all lanes as they were. */
export function LaneTools({ arrangement, hidden }: LaneToolsProps) {
  return (
    <>
      {hidden.length > 0 && (
        <select
          className={styles.add}
          aria-label="Show a hidden lane"
          value=""
          onChange={({ target }) => arrangement.show(target.value)}
        >
          <option value="">{`${groupDigits(hidden.length)} hidden`}</option>
          {hidden.map((id) => (
            <option key={id} value={id}>
              {hiddenName(id)}
            </option>
          ))}
        </select>
      )}
      {arrangement.isArranged && (
        <Button look="bare" label="Reset the lanes" onClick={arrangement.reset}>
          Reset
        </Button>
      )}
    </>
  );
}

/** `cpu0.irq` as `CPU 0 irq`. */
function hiddenName(id: string): string {
  const [, cpu, rest] = /^cpu(\d*)\.(?:counter\.)?(.*?)(?:\.0)?$/.exec(id) ?? [];
  return rest === undefined ? id : `${cpu === '' ? '' : `CPU ${cpu} `}${rest}`;
}
