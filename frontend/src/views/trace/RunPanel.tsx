import { useQuery } from '@tanstack/react-query';
import { runQuery, useTie, type Run, type RunFile } from '../../api/run';
import { Button } from '../../components/button/Button';
import { Panel } from '../../components/panel/Panel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { TieTable } from '../../components/run/TieTable';
import { ViewLink } from '../../components/ViewLink';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import styles from './RunPanel.module.css';

/** What a program measured in the run of a trace, or the trace of a file of measurements: nothing where there is none. */
export function RunPanel({ traceId }: { readonly traceId: string }) {
  const run = useQuery(runQuery(traceId));
  const tie = useTie();
  if (run.isError) return <FailedQuery query={run} />;
  if (run.data === undefined || run.data.tied.length + run.data.proposed.length === 0) return null;
  const { tied, proposed, threads, notes, is_measurement: isMeasurement } = run.data;
  return (
    <Panel title="Measured and traced" note={tied.length > 0 ? <Tied run={run.data} /> : undefined}>
      {threads.length > 0 ? <TieTable rows={threads.map((one) => ({ tie: one }))} /> : null}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {visibleText(note)}
        </p>
      ))}
      {proposed.map((file) => (
        <p key={file.id} className={styles.note}>
          {'From the same run, judging by the names? '}
          <FileLink file={file} />{' '}
          <Button
            label={`Link to ${visibleText(file.name)}`}
            disabled={tie.isPending}
            onClick={() =>
              tie.mutate(
                isMeasurement
                  ? { measurement: traceId, trace: file.id }
                  : { measurement: file.id, trace: traceId },
              )
            }
          >
            Link
          </Button>
        </p>
      ))}
      {tie.isError ? <ProblemNote problem={problemOf(tie.error)} /> : null}
    </Panel>
  );
}

function Tied({ run: { tied, is_measurement: isMeasurement } }: { readonly run: Run }) {
  return (
    <>
      {isMeasurement ? 'the trace of this run: ' : 'measured in this run: '}
      {tied.map((file, at) => (
        <span key={file.id}>
          {at > 0 ? ', ' : ''}
          <FileLink file={file} />
        </span>
      ))}
    </>
  );
}

function FileLink({ file }: { readonly file: RunFile }) {
  return (
    <ViewLink to={paths.trace(file.id)} className={styles.link}>
      {visibleText(file.name)}
    </ViewLink>
  );
}
