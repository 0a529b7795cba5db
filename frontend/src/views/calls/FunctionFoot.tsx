import type { useFunctions } from '../../api/traces';
import { Button } from '../../components/button/Button';
import styles from './Calls.module.css';

interface FunctionFootProps {
  readonly functions: ReturnType<typeof useFunctions>;
  readonly rowCount: number;
  /** Leaves the search. */
  readonly onShowAll: () => void;
}

/** Under a list of functions: that none matches, or the way to more of them. */
export function FunctionFoot({ functions, rowCount, onShowAll }: FunctionFootProps) {
  return (
    <>
      {functions.isSuccess && rowCount === 0 && (
        <p className={styles.foot}>
          No function name matches. <Button onClick={onShowAll}>Show all</Button>
        </p>
      )}
      {functions.hasNextPage && (
        <p className={styles.foot}>
          <Button disabled={functions.isFetchingNextPage} onClick={() => void functions.fetchNextPage()}>
            Show more functions
          </Button>
        </p>
      )}
    </>
  );
}
