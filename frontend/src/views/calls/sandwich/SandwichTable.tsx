import { ChartTable, type ChartColumn } from '../../../components/table/ChartTable';
import { visibleText } from '../../../lib/visibleText';
import { pathOf, type PlacedNode } from '../flameGraph';
import { isCaller, type Sandwich } from './sandwich';

interface SandwichTableProps {
  readonly name: string;
  readonly sandwich: Sandwich;
  readonly onClose: () => void;
}

interface Row extends PlacedNode {
  readonly side: 'caller' | 'function' | 'callee';
  readonly path: string;
}

/** Callers, the function and its callees, the costliest of each first. */
export function SandwichTable({ name, sandwich, onClose }: SandwichTableProps) {
  const rows = sandwich.rows.flatMap((placed, row) =>
    placed.map((one): Row => {
      const isAbove = isCaller(sandwich, row);
      const side = isAbove ? 'caller' : row === sandwich.centre ? 'function' : 'callee';
      return { ...one, side, path: pathOf(isAbove ? sandwich.callers : sandwich.callees, one.index) };
    }),
  );
  const sorted = rows.toSorted(
    (a, b) => ORDER.indexOf(a.side) - ORDER.indexOf(b.side) || b.node.total_ns - a.node.total_ns,
  );
  return (
    <ChartTable title="Callers and callees" name={name} columns={COLUMNS} rows={sorted} onClose={onClose} />
  );
}

const ORDER = ['function', 'caller', 'callee'];

const COLUMNS: readonly ChartColumn<Row>[] = [
  { title: 'side', cell: ({ side }) => side },
  { title: 'function', isCode: true, cell: ({ symbol }) => visibleText(symbol) },
  { title: 'calls', isNumber: true, cell: ({ node }) => node.count },
  { title: 'total (ns)', isNumber: true, cell: ({ node }) => node.total_ns },
  { title: 'self (ns)', isNumber: true, cell: ({ node }) => node.self_ns },
  { title: 'from the function outwards', isCode: true, cell: ({ path }) => visibleText(path) },
];
