import { useMemo } from 'react';
import type { LatencyGroup } from '../../../api/latencyTypes';
import { Table } from '../../../components/table/Table';
import { useTheme } from '../../../components/theme/theme';
import type { Measure } from '../../../lib/measure';
import { groupDigits } from '../../../lib/ns';
import { drawableGroups, drawnGroups, taskOf } from '../../../components/distribution/distribution';
import { groupColour } from '../../../components/distribution/distributionOption';
import styles from './DistributionPanel.module.css';
import type { DistributionForm } from '../../../viewState/trace';
import type { Stratum } from '../../../viewState/stratum';
import { statColumns } from './statColumns';

interface StatTableProps {
  readonly traceId: string;
  /** Absent until they are known. */
  readonly groups: readonly LatencyGroup[] | undefined;
  /** What is drawn of them above. */
  readonly form: DistributionForm;
  readonly measure: Measure;
  /** The part of the samples that everything shows. */
  readonly chosen: Stratum | undefined;
  readonly onChoose: (stratum: Stratum | undefined) => void;
}

const MOST_LISTED = 100;
const NONE: readonly LatencyGroup[] = [];

/** The statistics of every group, with the colour of its line. */
export function StatTable({ traceId, groups, form, measure, chosen, onChoose }: StatTableProps) {
  const { name, palette } = useTheme();
  const drawn = useMemo(() => drawnGroups(drawableGroups(groups ?? NONE, form)), [groups, form]);
  const all = useMemo(() => drawnFirst(groups ?? NONE, drawn), [groups, drawn]);
  const columns = useMemo(() => {
    const colourOf = (group: LatencyGroup) => {
      const index = drawn.indexOf(group);
      if (index < 0) return undefined;
      return drawn.length === 1 ? palette.normal : groupColour(index, name, taskOf(group));
    };
    const most = all.reduce((largest, { count }) => Math.max(largest, count), 0);
    return statColumns(traceId, colourOf, measure, most, { chosen, onChoose });
  }, [all, drawn, name, palette, traceId, measure, chosen, onChoose]);
  return (
    <>
      <div className={styles.statistics}>
        <Table
          label="Statistics"
          columns={columns}
          rows={all.slice(0, MOST_LISTED)}
          keyOf={({ group }) => `${group?.value ?? ''} ${group?.label ?? ''}`}
          skeleton={groups ? 0 : 1}
        />
      </div>
      {all.length > drawn.length && <p className={styles.note}>{leftOutText(all, drawn, measure)}</p>}
    </>
  );
}

/** Where not all groups are drawn, those that are come first: rows and curves are read together. */
function drawnFirst(
  groups: readonly LatencyGroup[],
  drawn: readonly LatencyGroup[],
): readonly LatencyGroup[] {
  return drawn.length === groups.length
    ? groups
    : [...drawn, ...groups.filter((group) => !drawn.includes(group))];
}

/** What is not drawn, and what is not even listed. */
function leftOutText(
  all: readonly LatencyGroup[],
  drawn: readonly LatencyGroup[],
  { isTime }: Measure,
): string {
  const most = isTime ? 'longest latencies' : 'largest values';
  const areSingle = all.every((group) => drawn.includes(group) || group.count === 1);
  const text = areSingle
    ? 'Groups of one sample are not drawn.'
    : `The ${drawn.length} groups with the ${most} are drawn.`;
  return all.length > MOST_LISTED
    ? `${text} ${groupDigits(all.length - MOST_LISTED)} more groups are not listed.`
    : text;
}
