import type { ReactNode } from 'react';
import type { SqlAnswer, SqlColumn, SqlValue } from '../../api/sql';
import { ViewLink } from '../../components/ViewLink';
import { measureOf } from '../../lib/measure';
import { durationText, groupDigits, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';

const NUMBERS = new Set(['int2', 'int4', 'int8', 'numeric', 'float4', 'float8']);

/** Whether the values of a column are numbers, which are aligned right. */
export function isNumber({ type }: SqlColumn): boolean {
  return NUMBERS.has(type);
}

/** Longer texts are sentences: they go on in a second line before anything has to be scrolled. */
const LONGEST_WORDS = 48;

const isSentence = (value: SqlValue | undefined) =>
  typeof value === 'string' && value.length > LONGEST_WORDS && value.includes(' ');

/** The columns that have sentences in them, such as headlines. */
export function sentenceColumns({ columns, rows }: Pick<SqlAnswer, 'columns' | 'rows'>): ReadonlySet<number> {
  return new Set(columns.flatMap((_, at) => (rows.some((row) => isSentence(row[at])) ? [at] : [])));
}

/** A value as the database gave it, with its thousands set apart; ids of traces and cases as links. */
export function cellOf(
  value: SqlValue,
  column: SqlColumn,
  row: readonly SqlValue[],
  columns: readonly SqlColumn[],
): ReactNode {
  if (value === null) return '–';
  if (typeof value === 'number') {
    if (column.unit === 'ns' && Number.isInteger(value)) return <Nanoseconds value={value} />;
    return Number.isInteger(value) && isCount(column.name) ? groupDigits(value) : value.toString();
  }
  const text = visibleText(String(value));
  const trace = columns.findIndex(({ name }) => name === 'trace');
  const id = row[trace];
  if (typeof value !== 'string' || typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return text;
  if (column.name === 'trace') return <ViewLink to={paths.trace(value)}>{text}</ViewLink>;
  if (column.name === 'case_id') return <ViewLink to={paths.case(id, value)}>{text}</ViewLink>;
  return text;
}

/** A value beside the name of its column: times as people say them, whole ones with every digit. */
export function valueText(value: Exclude<SqlValue, null>, column: SqlColumn): string {
  if (typeof value !== 'number') return visibleText(String(value));
  if (column.unit === 'ns') {
    return Number.isInteger(value) ? measureOf('ns').tick(value) : durationText(ns(Math.round(value)));
  }
  const digits = Number.isInteger(value) && isCount(column.name) ? groupDigits(value) : value.toString();
  return UNITS.has(column.unit) ? `${digits}\u202f${UNITS.get(column.unit)}` : digits;
}

/** Units as people write them, by the ends of names of columns. */
const UNITS: ReadonlyMap<string | null, string> = new Map([
  ['khz', 'kHz'],
  ['bytes', 'bytes'],
  ['pct', '%'],
]);

/** The heading names the unit, so that the number is of it; what people would say is under the pointer. */
function Nanoseconds({ value }: { readonly value: number }) {
  return <span title={durationText(ns(value))}>{groupDigits(value)}</span>;
}

/** Numbers that name something, such as a pid, have no thousands. */
function isCount(name: string): boolean {
  return !/^(pid|tgid|cpu|start_cpu|id|parent|seq|year)$/.test(name);
}
