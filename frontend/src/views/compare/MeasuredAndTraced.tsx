import { useQueries } from '@tanstack/react-query';
import type { SelectedVariant } from '../../api/compare';
import { runQuery, useTie, type Run } from '../../api/run';
import { Button } from '../../components/button/Button';
import { Panel } from '../../components/panel/Panel';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { TieTable } from '../../components/run/TieTable';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { groupDigits } from '../../lib/ns';
import { SideScroll } from './SideScroll';
import { WHY_THEY_DIFFER } from './traced';
import styles from './Compare.module.css';

/** Each is a separate request, and nobody reads a longer table. */
const MOST_FILES = 40;

/** What programs measured beside the traces of the same runs, value by case; nothing where none are tied. */
export function MeasuredAndTraced({ variants }: { readonly variants: readonly SelectedVariant[] }) {
  const files = variants.flatMap(({ name, traces }) => traces.map(({ id }) => ({ name, id })));
  const asked = files.length <= MOST_FILES ? files : [];
  const runs = useQueries({ queries: asked.map(({ id }) => runQuery(id)) });
  const tie = useTie();
  const measured = asked.flatMap(({ name, id }, at) => {
    const run = runs[at]?.data;
    return run?.is_measurement === true ? [{ name, id, run }] : [];
  });
  const rows = measured.flatMap(({ name, run }) => run.threads.map((one) => ({ name, tie: one })));
  // A trace that is compared beside the file, and has its name.
  const pairs = measured.flatMap(({ id, run }) => {
    const trace = run.proposed.find((one) => files.some((file) => file.id === one.id));
    return trace === undefined ? [] : [{ measurement: id, trace: trace.id }];
  });
  const notes = noteTexts(measured.map(({ run }) => run));
  if (rows.length === 0 && pairs.length === 0 && notes.length === 0) return null;
  return (
    <Panel title="Measured and traced" note="the largest value of each thread, and its case in the trace">
      {rows.length > 0 ? (
        <SideScroll label="Table of threads">
          <TieTable rows={rows} />
        </SideScroll>
      ) : null}
      {notes.map((text) => (
        <p key={text} className={styles.note}>
          {text}
        </p>
      ))}
      {pairs.length > 0 ? (
        <p className={styles.note}>
          {`${pairs.length === 1 ? 'A file has' : `${groupDigits(pairs.length)} files have`} the name of a trace here. `}
          <Button
            disabled={tie.isPending}
            onClick={() => {
              for (const pair of pairs) tie.mutate(pair);
            }}
          >
            Link to the traces of the same names
          </Button>
        </p>
      ) : null}
      {tie.isError ? <ProblemNote problem={problemOf(tie.error)} /> : null}
    </Panel>
  );
}

/** Why ties show no cases: they have been made all the same. */
function noteTexts(runs: readonly Run[]): readonly string[] {
  const notes = [...new Set(runs.flatMap((run) => run.notes))].map(visibleText);
  const { length } = runs.filter((run) => run.tied.length > 0 && run.threads.length + run.notes.length === 0);
  if (length === 0) return notes;
  const files =
    length === 1
      ? 'One file is linked to the trace of its run, and names'
      : `${groupDigits(length)} files are linked to the traces of their runs, and name`;
  return [
    ...notes,
    `${files} no threads: which case a value belongs to is not known. Split the samples into a table below to see the same runs by their traces.`,
    WHY_THEY_DIFFER,
  ];
}
