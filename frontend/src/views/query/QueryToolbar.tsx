import type { SqlRequest } from '../../api/sql';
import { Button } from '../../components/button/Button';
import { Choice } from '../../components/toolbar/Choice';
import { Toolbar } from '../../components/toolbar/Toolbar';
import { groupDigits } from '../../lib/ns';
import type { QueryState } from '../../viewState/query';
import type { SetViewState } from '../../viewState/useViewState';
import { EXAMPLES } from './examples';
import styles from './Query.module.css';
import { TraceChoice } from './TraceChoice';

const LIMITS = [100, 1_000, 10_000, 100_000];

interface QueryToolbarProps {
  /** The statement that is on the page, with its trace and its limit. */
  readonly asked: SqlRequest;
  /** What $1 will be where nobody chooses. */
  readonly newest: string | undefined;
  /** False on a server without SQL. */
  readonly isAvailable: boolean;
  readonly setState: SetViewState<QueryState>;
  readonly onRun: () => void;
  readonly onExample: (example: (typeof EXAMPLES)[number]) => void;
}

/** What a statement runs with: its trace, an example to start from, and how many rows it may return. */
export function QueryToolbar(props: QueryToolbarProps) {
  const { asked, newest, isAvailable, setState, onRun, onExample } = props;
  const limits = [...new Set([...LIMITS, asked.limit])].toSorted((a, b) => a - b);
  const chooseExample = (at: string) => {
    const example = EXAMPLES[Number(at)];
    if (at !== '' && example) onExample(example);
  };
  return (
    <Toolbar>
      <h1 className="unseen">Query</h1>
      <Button disabled={!isAvailable} onClick={onRun}>
        Run
      </Button>
      <span className={styles.hint}>Ctrl+Enter</span>
      <TraceChoice
        chosen={asked.traces.length > 0 || newest === undefined ? asked.traces : [newest]}
        onChoose={(id) => setState({ traces: [id] }, { history: 'push' })}
      />
      <Choice name="example">
        <select value="" onChange={({ target }) => chooseExample(target.value)}>
          <option value="">choose…</option>
          {EXAMPLES.map(({ title }, at) => (
            <option key={title} value={at}>
              {title}
            </option>
          ))}
        </select>
      </Choice>
      <Choice name="rows">
        <select
          value={asked.limit}
          onChange={({ target }) => setState({ limit: Number(target.value) }, { history: 'push' })}
        >
          {limits.map((limit) => (
            <option key={limit} value={limit}>
              {groupDigits(limit)}
            </option>
          ))}
        </select>
      </Choice>
    </Toolbar>
  );
}
