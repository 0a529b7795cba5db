import type { CallTreeAnswer } from '../../api/calls';
import { ChartTable, type ChartColumn } from '../../components/table/ChartTable';
import { visibleText } from '../../lib/visibleText';
import { layoutTree, pathOf, type PlacedNode } from './flameGraph';

interface GraphTableProps {
  readonly name: string;
  readonly answer: CallTreeAnswer;
  readonly onClose: () => void;
}

/** The merged calls, the costliest first, each with the stack that it lies in. */
export function GraphTable({ name, answer, onClose }: GraphTableProps) {
  const rows = layoutTree(answer)
    .rows.flat()
    .toSorted((a, b) => b.node.total_ns - a.node.total_ns || a.depth - b.depth);
  const columns: readonly ChartColumn<PlacedNode>[] = [
    { title: 'function', isCode: true, cell: ({ symbol }) => visibleText(symbol) },
    ...NUMBERS,
    { title: 'stack', isCode: true, cell: ({ index }) => visibleText(pathOf(answer, index)) },
  ];
  return <ChartTable title="Merged calls" name={name} columns={columns} rows={rows} onClose={onClose} />;
}

const NUMBERS: readonly ChartColumn<PlacedNode>[] = [
  { title: 'calls', isNumber: true, cell: ({ node }) => node.count },
  { title: 'total (ns)', isNumber: true, cell: ({ node }) => node.total_ns },
  { title: 'self (ns)', isNumber: true, cell: ({ node }) => node.self_ns },
  { title: 'min (ns)', isNumber: true, cell: ({ node }) => node.min_ns ?? '' },
  { title: 'median (ns)', isNumber: true, cell: ({ node }) => node.p50_ns ?? '' },
  { title: 'max (ns)', isNumber: true, cell: ({ node }) => node.max_ns ?? '' },
];
