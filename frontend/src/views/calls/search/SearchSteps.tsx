import { Button } from '../../../components/button/Button';
import { useKeys } from '../../../components/keys/keys';
import { groupDigits } from '../../../lib/ns';
import styles from './SearchSteps.module.css';
import { steppedTo } from './matches';

interface SearchStepsProps {
  readonly q: string;
  readonly count: number;
  /** Which of them is current, counted from 0. */
  readonly current: number | undefined;
  /** What is counted: "visible calls". */
  readonly what: string;
  readonly onStep: (match: number) => void;
}

/** How many matches a search has and which one is current; `n` and `N` lead through them. */
export function SearchSteps({ q, count, current, what, onStep }: SearchStepsProps) {
  const step = (by: 1 | -1) => {
    const next = steppedTo(count, current, by);
    if (next !== undefined) onStep(next);
  };
  useKeys('Search', [
    { keys: ['n'], does: 'Next match of the search', run: () => step(1) },
    { keys: ['N'], does: 'Previous match of the search', run: () => step(-1) },
  ]);
  if (q === '') return null;
  return (
    <span className={styles.steps} role="group" aria-label="Matches">
      <span role="status" data-testid="matches">
        {countText(count, current, what)}
      </span>
      <Button look="bare" label="Previous match (N)" disabled={count === 0} onClick={() => step(-1)}>
        ‹
      </Button>
      <Button look="bare" label="Next match (n)" disabled={count === 0} onClick={() => step(1)}>
        ›
      </Button>
    </span>
  );
}

function countText(count: number, current: number | undefined, what: string): string {
  if (count === 0) return 'no match';
  if (current === undefined) return `${groupDigits(count)} ${what}`;
  return `${groupDigits(current + 1)} of ${groupDigits(count)}`;
}
