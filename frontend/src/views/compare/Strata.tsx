import type { Comparison, SelectedVariant } from '../../api/compare';
import { Panel } from '../../components/panel/Panel';
import { Measured } from '../../components/Quantity';
import { Table, type Column } from '../../components/table/Table';
import { ViewLink } from '../../components/ViewLink';
import { Choice } from '../../components/toolbar/Choice';
import { measureOf } from '../../lib/measure';
import { groupDigits } from '../../lib/ns';
import { groupingLabels, wordsApart } from '../../lib/variants';
import { visibleText } from '../../lib/visibleText';
import type { CompareState } from '../../viewState/compare';
import type { SetViewState } from '../../viewState/useViewState';
import { SideScroll } from './SideScroll';
import { WHY_THEY_DIFFER } from './traced';
import styles from './Compare.module.css';

type StrataAnswer = NonNullable<Comparison['strata']>;
type Cell = StrataAnswer['cells'][number];

interface StrataProps {
  readonly answer: Comparison | undefined;
  /** The same table of what the traces of the runs say; null where the numbers are theirs already. */
  readonly traced: Comparison | null;
  /** What the samples can be split by, beside labels and words. */
  readonly splits: readonly string[];
  readonly variants: readonly SelectedVariant[];
  readonly state: CompareState;
  readonly setState: SetViewState<CompareState>;
}

/** The samples split by labels, CPUs, tasks or sources: rows and columns of a table. */
export function Strata({ answer, traced, splits, variants, state, setState }: StrataProps) {
  const traces = variants.flatMap((variant) => variant.traces);
  const words = new Map(wordsApart(traces).map(([at, values]) => [`word:${at}`, `name: ${values}`]));
  const offered = [...groupingLabels(traces).map((name) => `label:${name}`), ...words.keys(), ...splits];
  // A choice of before stays visible, also where another measure has no such groups.
  const chosen = [state.rows, state.columns].filter((by) => by !== '' && !offered.includes(by));
  const nameOf = (by: string) => words.get(by) ?? stratumName(by);
  const strata = state.rows === '' ? null : answer?.strata;
  return (
    <Panel
      title="Split"
      note={
        strata ? 'mean ± standard deviation, with p99 and samples below' : 'split the samples into a table'
      }
      actions={
        <span className={styles.choices}>
          <StratumChoice
            name="rows"
            value={state.rows}
            offered={[...offered, ...chosen]}
            nameOf={nameOf}
            onChange={(rows) => setState({ rows })}
          />
          {state.rows === '' ? null : (
            <StratumChoice
              name="columns"
              value={state.columns}
              nameOf={nameOf}
              offered={[...offered, ...chosen].filter((one) => one !== state.rows)}
              onChange={(columns) => setState({ columns })}
            />
          )}
        </span>
      }
    >
      {answer && strata ? <StrataTable answer={answer} strata={strata} traced={traced?.strata} /> : null}
    </Panel>
  );
}

interface StratumChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly offered: readonly string[];
  readonly nameOf: (by: string) => string;
  readonly onChange: (value: string) => void;
}

function StratumChoice({ name, value, offered, nameOf, onChange }: StratumChoiceProps) {
  return (
    <Choice name={name}>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">none</option>
        {offered.map((one) => (
          <option key={one} value={one}>
            {visibleText(nameOf(one))}
          </option>
        ))}
      </select>
    </Choice>
  );
}

/** `label:sleep` is the label sleep. */
const stratumName = (by: string) =>
  GROUP_NAMES[by] ?? (by.startsWith('word:') ? 'name' : by.replace(/^label:/, ''));

const GROUP_NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  key: 'source',
  sleep: 'time asleep',
  idle_state: 'idle state left',
};

interface Line {
  readonly row: string | null;
  readonly variant: string;
  readonly isFirst: boolean;
  readonly cells: readonly Cell[];
}

interface StrataTableProps {
  readonly answer: Comparison;
  readonly strata: StrataAnswer;
  readonly traced: StrataAnswer | null | undefined;
}

function StrataTable({ answer, strata, traced }: StrataTableProps) {
  const { rows, columns, cells, has_more: hasMore } = strata;
  const lines =
    columns === null
      ? rows.values.map((row) => lineOf(row, cells))
      : rows.values.flatMap((row) =>
          answer.variants
            .map(({ name }) => ({
              row,
              variant: name,
              cells: cells.filter((one) => one.variant === name && one.row === row),
            }))
            .filter((line) => line.cells.length > 0)
            .map((line, at) => ({ ...line, isFirst: at === 0 })),
        );
  return (
    <SideScroll label="Table of strata">
      <Table
        label="Strata"
        columns={strataColumns(answer, strata, traced?.cells ?? [])}
        rows={lines}
        keyOf={({ row, variant }) => `${row} ${variant}`}
      />
      {traced === null || traced === undefined ? null : (
        <p
          className={styles.note}
        >{`“Traced” is by the traces of the runs, of all tasks that slept. ${WHY_THEY_DIFFER}`}</p>
      )}
      {hasMore ? (
        <p className={styles.note}>
          There are more rows than fit: those with the fewest samples count as not known.
        </p>
      ) : null}
    </SideScroll>
  );
}

/** Without columns of their own the variants are the columns. */
const lineOf = (row: string | null, cells: readonly Cell[]): Line => ({
  row,
  variant: '',
  isFirst: true,
  cells: cells.filter((one) => one.row === row),
});

function strataColumns(
  answer: Comparison,
  { rows, columns }: StrataAnswer,
  traced: readonly Cell[],
): readonly Column<Line>[] {
  const measure = measureOf(answer.unit);
  const head: readonly Column<Line>[] = [
    {
      id: 'row',
      title: stratumName(rows.by),
      cell: ({ row, isFirst }) => (isFirst ? visibleText(row ?? 'not known') : ''),
    },
    ...(columns !== null && answer.variants.length > 1
      ? [{ id: 'variant', title: 'Variant', cell: ({ variant }: Line) => visibleText(variant) }]
      : []),
  ];
  const body =
    columns === null
      ? answer.variants.map(({ name }): Column<Line> => ({
          id: `variant ${name}`,
          title: visibleText(name),
          isNumber: true,
          cell: ({ cells }) => (
            <CellNumbers cell={cells.find((one) => one.variant === name)} traced={traced} measure={measure} />
          ),
        }))
      : columns.values.map((column): Column<Line> => ({
          id: `column ${column}`,
          title: visibleText(column ?? 'not known'),
          isNumber: true,
          cell: ({ cells }) => (
            <CellNumbers
              cell={cells.find((one) => one.column === column)}
              traced={traced}
              measure={measure}
            />
          ),
        }));
  return [...head, ...body];
}

interface CellNumbersProps {
  /** Absent without samples. */
  readonly cell: Cell | undefined;
  readonly traced: readonly Cell[];
  readonly measure: ReturnType<typeof measureOf>;
}

function CellNumbers({ cell, traced, measure }: CellNumbersProps) {
  if (cell === undefined) return '–';
  const { variant, row, column } = cell;
  const same = traced.find((one) => one.variant === variant && one.row === row && one.column === column);
  const mean = <Measured value={cell.mean_ns} measure={measure} />;
  return (
    <span className={styles.stat}>
      <span>
        {cell.max_url === null ? (
          mean
        ) : (
          <ViewLink to={new URL(cell.max_url).pathname} title="Open the worst case">
            {mean}
          </ViewLink>
        )}
        {cell.stdev_ns === null ? null : (
          <>
            {' ± '}
            <Measured value={cell.stdev_ns} measure={measure} />
          </>
        )}
      </span>
      <span className={styles.under}>
        {cell.p99_ns === null ? '' : `p99 ${measure.text(cell.p99_ns)} · `}
        {countedText(cell.count)}
      </span>
      {same === undefined ? null : (
        <span className={styles.under}>
          {`traced ${measure.text(same.mean_ns)}`}
          {same.stdev_ns === null ? '' : ` ± ${measure.text(same.stdev_ns)}`}
          {` · ${countedText(same.count)}`}
        </span>
      )}
    </span>
  );
}

const countedText = (count: number) => `${groupDigits(count)} ${count === 1 ? 'sample' : 'samples'}`;
