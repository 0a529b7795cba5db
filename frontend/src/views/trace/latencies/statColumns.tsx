import type { LatencyGroup } from '../../../api/latencyTypes';
import { Count, Measured } from '../../../components/Quantity';
import type { Column } from '../../../components/table/Table';
import { ViewLink } from '../../../components/ViewLink';
import type { Measure } from '../../../lib/measure';
import type { Colour } from '../../../lib/colour';
import { visibleText } from '../../../lib/visibleText';
import { STRATUM_NAMES, type Stratum } from '../../../viewState/stratum';
import { paths } from '../../../viewState/paths';
import styles from './DistributionPanel.module.css';

/**
 * The columns of the statistics; `colourOf` is the colour of a group's line, if it has one; `measure` how their samples
 * are said. Percentiles for which even the largest group, of `most` samples, has too few are left out.
 */
export function statColumns(
  traceId: string,
  colourOf: (group: LatencyGroup) => Colour | undefined,
  measure: Measure,
  most: number,
  choice: StratumChoice,
): readonly Column<LatencyGroup>[] {
  const tail = [
    { oneIn: 10_000, column: percentile('p99.99', 10_000, measure, (row) => row.p99_99_ns) },
    { oneIn: 100_000, column: percentile('p99.999', 100_000, measure, (row) => row.p99_999_ns) },
  ];
  return [
    {
      id: 'group',
      title: 'Group',
      cell: (row) => (
        <span className={styles.group} title={visibleText(row.group?.label ?? 'all')}>
          <span className={styles.swatch} style={{ backgroundColor: colourOf(row) }} aria-hidden />
          <GroupName group={row.group} {...choice} />
        </span>
      ),
    },
    { id: 'count', title: 'Count', isNumber: true, cell: (row) => <Count value={row.count} /> },
    value('min', measure, (row) => row.min_ns),
    value('mean', measure, (row) => row.mean_ns),
    value('stdev', measure, (row) => row.stdev_ns),
    {
      id: 'max',
      title: 'max',
      isNumber: true,
      cell: (row) => (
        <ViewLink to={paths.case(traceId, row.worst_id)} title="Open the worst case">
          <Measured value={row.max_ns} measure={measure} />
        </ViewLink>
      ),
    },
    value('p50', measure, (row) => (row.count > 1 ? row.p50_ns : null)),
    percentile('p90', 10, measure, (row) => row.p90_ns),
    percentile('p99', 100, measure, (row) => row.p99_ns),
    percentile('p99.9', 1_000, measure, (row) => row.p99_9_ns),
    ...tail.flatMap(({ oneIn, column }) => (most < oneIn ? [] : [column])),
  ];
}

interface StratumChoice {
  readonly chosen: Stratum | undefined;
  readonly onChoose: (stratum: Stratum | undefined) => void;
}

/** The name of a group; where only its samples can be selected, a button that shows them everywhere, or all again. */
function GroupName({ group, chosen, onChoose }: StratumChoice & Pick<LatencyGroup, 'group'>) {
  const label = visibleText(group?.label ?? 'all');
  const stratum = stratumOfGroup(group);
  if (stratum === undefined) return label;
  const isOn = chosen?.name === stratum.name && chosen.value === stratum.value;
  return (
    <button
      type="button"
      className={styles.stratum}
      aria-pressed={isOn}
      title={isOn ? 'Show all samples again' : `Show only ${label}`}
      onClick={() => onChoose(isOn ? undefined : stratum)}
    >
      {label}
    </button>
  );
}

/** Groups of several values, of none, and by what lists cannot be filtered by, are no strata. */
function stratumOfGroup(group: LatencyGroup['group']): Stratum | undefined {
  const name = STRATUM_NAMES.find((known) => known === group?.name);
  const text = group?.value?.toString() ?? '';
  if (name === undefined || text === '' || (group?.folded ?? null) !== null) return undefined;
  return { name, value: text };
}

function value(
  title: string,
  measure: Measure,
  of: (row: LatencyGroup) => number | null,
): Column<LatencyGroup> {
  return {
    id: title,
    title,
    isNumber: true,
    cell: (row) => {
      const found = of(row);
      return found === null ? '–' : <Measured value={found} measure={measure} />;
    },
  };
}

/**
 * A percentile that one in `oneIn` samples exceeds; with fewer samples than that it is the longest one, in grey, and of a
 * single one nothing.
 */
function percentile(
  title: string,
  oneIn: number,
  measure: Measure,
  of: (row: LatencyGroup) => number,
): Column<LatencyGroup> {
  return {
    id: title,
    title,
    isNumber: true,
    cell: (row) => {
      if (row.count === 1) return '–';
      const number = <Measured value={of(row)} measure={measure} />;
      if (row.count >= oneIn) return number;
      return (
        <span className={styles.few} title={`Fewer than ${oneIn} samples: this is the longest one.`}>
          {number}
        </span>
      );
    },
  };
}
