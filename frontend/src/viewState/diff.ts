import { choiceField, countField, nsField, numberSetField, rangeField, type Field } from './fields';
import { viewSpec } from './viewSpec';

/** One side of a comparison: a call, a case or a group of them, `calls:<function>` or `cases:<kind>`, in a trace. */
export interface DiffRef {
  readonly trace: string;
  /** More traces that a group is of. */
  readonly others?: readonly string[];
  readonly id: string;
}

/** The normal side: the median of the abnormal one's kind, all others of the kind, or one that was picked. */
export type NormalChoice = 'auto' | 'all' | DiffRef;

const REF_WANTS = 'a trace and one of its calls or cases, such as abcdefghijkl/call-1213@2160118.3';

/** The highest number that a row of the tree can have; the server answers with no more rows. */
export const MOST_DIFF_ROWS = 20_000;

/** A comparison: its two sides, what counts as noise, what is in sight, chosen and unfolded. */
export const diffState = viewSpec({
  abnormal: refField(),
  normal: normalField(),
  /** Differences below it are summed up as noise. */
  floor: nsField(),
  /** The row of the tree that is chosen, in the lists and in the charts, too. */
  row: countField(0, MOST_DIFF_ROWS),
  /** Rows whose being open or closed is not what the page would have chosen. */
  toggled: numberSetField(0, MOST_DIFF_ROWS),
  /** Whether colours show what a call lost itself, or with all that it calls. */
  colour: choiceField<'self' | 'total'>(['self', 'total']),
  /** The stretch of the charts, from the start of either side. */
  window: rangeField(),
  rows: choiceField<'some' | 'all'>(['some', 'all']),
});

export type DiffState = ReturnType<typeof diffState.read>['state'];

/** As links and the API spell it. */
export function printRef({ trace, others = [], id }: DiffRef): string {
  return `${[trace, ...others].join(',')}/${id}`;
}

export function printNormal(normal: NormalChoice): string {
  return typeof normal === 'string' ? normal : printRef(normal);
}

function parseRef(text: string): DiffRef | undefined {
  const [, traces, id] = /^([\w-]{1,64}(?:,[\w-]{1,64}){0,19})\/([^\s/][^\n]{0,999})$/.exec(text) ?? [];
  const [trace, ...others] = traces?.split(',') ?? [];
  if (trace === undefined || id === undefined) return undefined;
  return { trace, ...(others.length > 0 && { others }), id };
}

function refField(): Field<DiffRef | undefined> {
  return {
    fallback: undefined,
    parse: parseRef,
    print: (ref) => (ref ? printRef(ref) : ''),
    wants: REF_WANTS,
  };
}

function normalField(): Field<NormalChoice> {
  return {
    fallback: 'auto',
    parse: (text) => (text === 'auto' || text === 'all' ? text : parseRef(text)),
    print: printNormal,
    wants: `auto, all, or ${REF_WANTS}`,
  };
}
