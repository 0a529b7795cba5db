import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { exportTraces, useSelectionSize } from '../../api/selection';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { compareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import { trendState } from '../../viewState/trend';
import { splitsOf, type Comparable } from '../../lib/variants';
import { useNotice } from '../../components/notices/notices';
import { saveBlob } from '../../lib/download';
import { groupDigits } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { DeleteManyDialog } from './DeleteManyDialog';
import { LabelManyDialog } from './LabelManyDialog';
import { chosenCount, isChosen, NOTHING, selectionBody, type Selection } from './selection';
import styles from './SelectionBar.module.css';
import { traceCount } from './traceCount';

interface SelectionBarProps {
  readonly filter: { readonly q: string; readonly label: string };
  readonly rows: readonly Trace[];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

/** How many traces there are, and what can be done with the selected ones. Its room is always taken: nothing moves. */
export function SelectionBar({ filter, rows, selection, onSelect }: SelectionBarProps) {
  const size = useSelectionSize(filter).data;
  const count = chosenCount(selection);
  const selectAll = () => {
    if (!size) return;
    onSelect({ kind: 'matching', except: new Set(), total: size.trace_count, asOf: size.as_of });
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected traces">
      <span className={styles.count} aria-live="polite">
        {count > 0 ? `${groupDigits(count)} selected` : size ? traceCount(size.trace_count) : ''}
      </span>
      {count > 0 && size && count < size.trace_count ? (
        <Button look="bare" onClick={selectAll}>
          Select all {groupDigits(size.trace_count)}
        </Button>
      ) : null}
      {count > 0 ? (
        <Actions filter={filter} rows={rows} selection={selection} onSelect={onSelect} />
      ) : (
        <span className={styles.hint}>
          Select traces to compare, label or delete them
          <span className={styles.keys}>
            {' · '}
            <kbd>j</kbd> and <kbd>k</kbd> walk through the rows, <kbd>x</kbd> selects one, <kbd>Shift</kbd> +{' '}
            <kbd>x</kbd> all rows up to it
          </span>
        </span>
      )}
    </div>
  );
}

/** The server compares no more. */
const MOST_COMPARED = 2_000;

/** One trace a line. */
function readTraces(lines: string): readonly Comparable[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Comparable); // a row of the catalog, as the API describes it
}

type Asked = 'labels' | 'delete' | undefined;

/** Runs `work`; a failure is said in a notice that begins with `failed`. */
function useAttempt() {
  const say = useNotice();
  return async (failed: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const { title, detail } = problemOf(error);
      say(`${failed} ${detail ?? title}`);
    }
  };
}

function Actions({ filter, rows, selection, onSelect }: SelectionBarProps) {
  const [asked, setAsked] = useState<Asked>();
  const [isExporting, setExporting] = useState(false);
  const attempt = useAttempt();
  const navigate = useNavigate();
  const traces = selectionBody(selection, filter);
  const count = chosenCount(selection);
  const clear = () => onSelect(NOTHING);
  const listed = async () => readTraces(await (await exportTraces(traces, 'ndjson')).text());
  const exportAs = async (format: 'csv' | 'ndjson') => {
    setExporting(true);
    await attempt('Not exported.', async () =>
      saveBlob(await exportTraces(traces, format), `traces.${format}`),
    );
    setExporting(false);
  };
  const follow = () =>
    attempt('No trend.', async () => {
      // All that have a label are followed by it, so that those to come are in the same link.
      const isLabel = selection.kind === 'matching' && filter.q === '' && selection.except.size === 0;
      const isExact = isLabel && filter.label.includes(':');
      const search = trendState.write({
        ...trendState.read({}).state,
        labels: isExact ? [filter.label] : [],
        traces: isExact ? [] : (await listed()).map(({ id }) => id),
      });
      await navigate({ to: paths.trend(), search: search as never }); // routes come from a table, so the router cannot know their search types
    });
  const compare = () =>
    attempt('Not compared.', async () => {
      const search = compareState.write({
        ...compareState.read({}).state,
        variants: splitsOf(await listed())[0]?.variants ?? [],
      });
      await navigate({ to: paths.compare(), search: search as never }); // routes come from a table, so the router cannot know their search types
    });
  return (
    <>
      <LimitedButton title="Compare" count={count} onClick={() => void compare()} />
      <LimitedButton title="Trend" count={count} onClick={() => void follow()} />
      <Button onClick={() => setAsked('labels')}>Label</Button>
      <Button disabled={isExporting} onClick={() => void exportAs('csv')}>
        Export CSV
      </Button>
      <Button disabled={isExporting} onClick={() => void exportAs('ndjson')}>
        Export JSON
      </Button>
      <Button look="danger" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      <Button look="bare" onClick={clear}>
        Clear
      </Button>
      {asked === 'labels' ? (
        <LabelManyDialog
          traces={traces}
          count={count}
          rows={rows.filter(({ id }) => isChosen(selection, id))}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      {asked === 'delete' ? (
        <DeleteManyDialog
          traces={traces}
          count={count}
          onClose={(wasDeleted) => {
            setAsked(undefined);
            if (wasDeleted) clear();
          }}
        />
      ) : null}
    </>
  );
}

/** A button for what the server does with a limited number of traces. */
function LimitedButton(props: {
  readonly title: string;
  readonly count: number;
  readonly onClick: () => void;
}) {
  const { title, count, onClick } = props;
  const isTooMany = count > MOST_COMPARED;
  const label = `${title}: at most ${groupDigits(MOST_COMPARED)} traces at once`;
  return (
    <Button disabled={isTooMany} {...(isTooMany && { label })} onClick={onClick}>
      {title}
    </Button>
  );
}
