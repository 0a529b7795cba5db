import { useMemo } from 'react';
import type { LatencyGroup } from '../../../api/latencyTypes';
import { Table } from '../../../components/table/Table';
import { useTheme } from '../../../components/theme/theme';
import type { Measure } from '../../../lib/measure';
import { groupDigits } from '../../../lib/ns';
import { drawnGroups, MOST_CURVES, taskOf } from '../../../components/distribution/distribution';
import { groupColour } from '../../../components/distribution/distributionOption';
import styles from './DistributionPanel.module.css';
import type { Stratum } from '../../../viewState/stratum';
import { statColumns } from './statColumns';

interface StatTableProps {
  readonly traceId: string;
  /** Absent until they are known. */
  readonly groups: readonly LatencyGroup[] | undefined;
  readonly measure: Measure;
  /** The part of the samples that everything shows. */
  readonly chosen: Stratum | undefined;
  readonly onChoose: (stratum: Stratum | undefined) => void;
}

const MOST_LISTED = 100;
const NONE: readonly LatencyGroup[] = [];

/** The statistics of every group, with the colour of its line. */
export function StatTable({ traceId, groups, measure, chosen, onChoose }: StatTableProps) {
  const { name, palette } = useTheme();
  const all = useMemo(() => drawnFirst(groups ?? NONE), [groups]);
  const columns = useMemo(() => {
    const drawn = drawnGroups(all);
    const colourOf = (group: LatencyGroup) => {
      const index = drawn.indexOf(group);
      if (index < 0) return undefined;
      return drawn.length === 1 ? palette.normal : groupColour(index, name, taskOf(group));
    };
    const most = all.reduce((largest, { count }) => Math.max(largest, count), 0);
    return statColumns(traceId, colourOf, measure, most, { chosen, onChoose });
  }, [all, name, palette, traceId, measure, chosen, onChoose]);
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
      {all.length > MOST_CURVES && <p className={styles.note}>{leftOutText(all.length, measure)}</p>}
    </>
  );
}

/** Where not all groups are drawn, those that are come first: rows and curves are read together. */
function drawnFirst(groups: readonly LatencyGroup[]): readonly LatencyGroup[] {
  const drawn = drawnGroups(groups);
  return drawn.length === groups.length
    ? groups
    : [...drawn, ...groups.filter((group) => !drawn.includes(group))];
}

/** What is not drawn, and what is not even listed. */
function leftOutText(count: number, { isTime }: Measure): string {
  const most = isTime ? 'longest latencies' : 'largest values';
  const drawn = `The ${MOST_CURVES} groups with the ${most} are drawn.`;
  return count > MOST_LISTED
    ? `${drawn} ${groupDigits(count - MOST_LISTED)} more groups are not listed.`
    : drawn;
}
