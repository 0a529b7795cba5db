import { useMemo, useState } from 'react';
import { sqlCsv, type SqlAnswer, type SqlRequest } from '../../api/sql';
import { Button } from '../../components/button/Button';
import { useNotice } from '../../components/notices/notices';
import { Panel } from '../../components/panel/Panel';
import { Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import { saveBlob } from '../../lib/download';
import { groupDigits } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { PLOTS, type PlotKind, type QueryState } from '../../viewState/query';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Query.module.css';
import { ResultChart } from './ResultChart';
import { resultPlot } from './resultPlot';
import { ResultTable } from './ResultTable';

interface ResultPanelProps {
  readonly answer: SqlAnswer;
  readonly asked: SqlRequest;
  readonly plot: PlotKind;
  readonly setState: SetViewState<QueryState>;
  /** The answer is that to the statement before. */
  readonly isOld: boolean;
}

/** The rows of a statement, and what can be done with them. */
export function ResultPanel({ answer, asked, plot: kind, setState, isOld }: ResultPanelProps) {
  const plot = useMemo(() => resultPlot(answer), [answer]);
  const note = `${groupDigits(answer.row_count)} ${answer.row_count === 1 ? 'row' : 'rows'}${
    answer.is_truncated ? '; there are more: raise the limit, or ask for less' : ''
  }`;
  return (
    <Panel
      title="Result"
      note={<span data-rendered={isOld ? undefined : asked.sql.length}>{note}</span>}
      actions={
        <>
          {plot === undefined ? null : (
            <SwitchGroup name="as">
              {PLOTS.map((one) => (
                <Switch
                  key={one}
                  isOn={kind === one}
                  onClick={() => setState({ plot: one }, { history: 'push' })}
                >
                  {one === 'none' ? 'table' : one}
                </Switch>
              ))}
            </SwitchGroup>
          )}
          <CsvButton asked={asked} />
        </>
      }
    >
      {plot !== undefined && kind !== 'none' && answer.row_count > 0 ? (
        <ResultChart key={kind} answer={answer} plot={plot} kind={kind} />
      ) : null}
      {answer.row_count === 0 ? (
        <p className={styles.note}>No row matches. Is this the right trace?</p>
      ) : (
        <ResultTable answer={answer} />
      )}
    </Panel>
  );
}

function CsvButton({ asked }: { readonly asked: SqlRequest }) {
  const [isSaving, setSaving] = useState(false);
  const say = useNotice();
  const save = async () => {
    setSaving(true);
    try {
      saveBlob(await sqlCsv(asked), 'query.csv');
    } catch (error) {
      const problem = problemOf(error);
      say(problem.detail ?? problem.title);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Button look="bare" label="Save the rows as CSV" disabled={isSaving} onClick={() => void save()}>
      CSV
    </Button>
  );
}
