import { useQuery } from '@tanstack/react-query';
import { baselineCheckQuery, checkBody, type CheckResult } from '../../api/baselines';
import type { Trend, TrendPoint, TrendRequest } from '../../api/trend';
import { HelpLink } from '../../components/HelpLink';
import { Panel } from '../../components/panel/Panel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Choice } from '../../components/toolbar/Choice';
import { ViewLink } from '../../components/ViewLink';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { ALLOWANCES, type TrendState } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Trend.module.css';
import { checkedRun } from './trendPlot';

interface BaselineCheckProps {
  readonly trend: Trend;
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
  /** What the trend is of. */
  readonly measure: TrendRequest;
}

/** What automation would say of the run at which the last level began, or of the last run. */
export function BaselineCheck({ trend, state, setState, measure }: BaselineCheckProps) {
  const run = checkedRun(trend);
  if (run === undefined) return null;
  return (
    <Panel
      title="Check"
      note={visibleText(run.name)}
      actions={
        <Choice name="at most" isNarrow>
          <select
            value={state.allow}
            onChange={({ target }) => {
              const allow = ALLOWANCES.find((one) => one === target.value);
              if (allow) setState({ allow }, { history: 'push' });
            }}
          >
            {ALLOWANCES.toSorted((one, other) => Number(one) - Number(other)).map((one) => (
              <option key={one} value={one}>
                {one === '1' ? 'the baseline' : `${one} × the baseline`}
              </option>
            ))}
          </select>
        </Choice>
      }
    >
      <Outcome run={run} state={state} measure={measure} />
    </Panel>
  );
}

function Outcome({
  run,
  state,
  measure,
}: { readonly run: TrendPoint } & Pick<BaselineCheckProps, 'state' | 'measure'>) {
  const check = { ...measure, baseline: state.baseline, allow: state.allow };
  const query = useQuery(baselineCheckQuery({ ...check, trace: run.trace }));
  if (query.isError) return <FailedQuery query={query} />;
  const result = query.data;
  return (
    <div className={styles.check} aria-busy={result === undefined}>
      {result === undefined ? (
        'Checking…'
      ) : (
        <>
          <p>
            <span className={styles.outcome} data-outcome={result.outcome}>
              {result.outcome}
            </span>{' '}
            {result.reason === null ? PASSED : sentenceText(result.reason)}
          </p>
          <CheckWays result={result} />
        </>
      )}
      <p className={styles.quiet}>
        {'In a job: '}
        <code>{JSON.stringify([checkBody(check)])}</code>
        {' to '}
        <HelpLink page="api" section="against-a-baseline" title="Checks against a baseline, by REST">
          POST /traces/&lt;id&gt;/checks
        </HelpLink>
      </p>
    </div>
  );
}

const PASSED = 'The number keeps to the limit.';

function CheckWays({ result: { baseline, worst } }: { readonly result: CheckResult }) {
  const compared = baseline?.url ? new URL(baseline.url) : undefined;
  return (
    <p className={styles.ways}>
      {worst ? <ViewLink to={new URL(worst.url).pathname}>Worst case</ViewLink> : null}
      {compared ? (
        <ViewLink to={compared.pathname} search={Object.fromEntries(compared.searchParams)}>
          Compare with the baseline
        </ViewLink>
      ) : null}
    </p>
  );
}
