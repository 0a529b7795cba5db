import type { DiffAnswer } from '../../api/diffTypes';
import { Button } from '../../components/button/Button';
import { groupDigits } from '../../lib/ns';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { deltaText } from './deltaText';
import styles from './DiffPage.module.css';

interface HiddenRowsProps {
  readonly hidden: DiffAnswer['rows_hidden'];
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
}

/** How much of the tree is hidden, and a button to show it. */
export function HiddenRows({ hidden, state, setState }: HiddenRowsProps) {
  if (hidden.count === 0) return null;
  return (
    <p className={styles.hidden}>
      {`${groupDigits(hidden.count)} smaller rows are hidden (${deltaText(hidden.delta_ns)} in total). `}
      {state.rows === 'some' && (
        <Button onClick={() => setState({ rows: 'all', toggled: [], row: undefined }, { history: 'push' })}>
          Show more rows
        </Button>
      )}
    </p>
  );
}
