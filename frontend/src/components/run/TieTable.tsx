import { useMemo } from 'react';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { Duration } from '../Quantity';
import { Table, type Column } from '../table/Table';
import { ViewLink } from '../ViewLink';

/** The largest value that a program reports for a thread, and the case in the trace that it was. */
interface Tie {
  readonly measurement: string;
  readonly trace: string;
  readonly source: string;
  readonly says_ns: number;
  readonly case_id: string;
  readonly case_url: string;
  readonly case_ns: number;
  readonly difference_ns: number;
  readonly is_close: boolean;
  readonly why: string;
}

/** A tie of a variant; the name stays away where there are no variants. */
export interface NamedTie {
  readonly name?: string;
  readonly tie: Tie;
}

/** Value by case: what the program says, what the trace shows, and what is known of the difference. */
export function TieTable({ rows }: { readonly rows: readonly NamedTie[] }) {
  const hasNames = rows.some(({ name }) => name !== undefined);
  const columns = useMemo(() => tieColumns(hasNames), [hasNames]);
  return (
    <Table
      label="Measured and traced"
      columns={columns}
      rows={rows}
      keyOf={({ name, tie }) => `${name ?? ''} ${tie.measurement} ${tie.trace} ${tie.source}`}
    />
  );
}

function tieColumns(hasNames: boolean): readonly Column<NamedTie>[] {
  const names: Column<NamedTie> = {
    id: 'name',
    title: 'Variant',
    cell: ({ name }) => visibleText(name ?? ''),
  };
  return [
    ...(hasNames ? [names] : []),
    {
      id: 'source',
      title: 'Thread',
      cell: ({ tie }) => (
        <ViewLink to={`/t/${encodeURIComponent(tie.measurement)}`}>{visibleText(tie.source)}</ViewLink>
      ),
    },
    {
      id: 'says',
      title: 'reported max',
      isNumber: true,
      cell: ({ tie }) => <Duration value={ns(tie.says_ns)} />,
    },
    {
      id: 'case',
      title: 'traced',
      isNumber: true,
      cell: ({ tie }) => (
        <ViewLink to={new URL(tie.case_url).pathname} title={`Open ${tie.case_id}`}>
          <Duration value={ns(tie.case_ns)} />
        </ViewLink>
      ),
    },
    {
      id: 'difference',
      title: 'difference',
      isNumber: true,
      rank: 1,
      cell: ({ tie }) => (
        <>
          {tie.difference_ns < 0 ? '−' : '+'}
          <Duration value={ns(Math.abs(tie.difference_ns))} />
        </>
      ),
    },
    { id: 'why', title: 'Why', isSentence: true, rank: 2, cell: ({ tie }) => visibleText(tie.why) },
  ];
}
