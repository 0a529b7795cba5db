import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { worstQuery } from '../../../api/latencies';
import type { LatencyItem } from '../../../api/latencyTypes';
import type { Trace } from '../../../api/types';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { Table } from '../../../components/table/Table';
import { Unplaced } from '../../../components/Unplaced';
import type { KindChartProps, ShownKind } from './shownKind';
import { worstColumns } from './worstColumns';

/** So few samples have no distribution, and a chart over time would be a few dots. */
const MOST = 3;

const NOTHING: readonly LatencyItem[] = [];

/**
 * Whether all samples of the kind fit a list better than charts. Of fields nobody knows how many there are, and
 * a program that measured more than it lists gives bounds of the rest, which only charts show.
 */
export function areFew({ count, request }: ShownKind, { is_measurement }: Trace): boolean {
  return count <= MOST && request.field === undefined && !is_measurement;
}

/** Every sample of a kind that has only a few; a single one is in the list of the worst cases already. */
export function FewSamples({ trace, kind }: FewSamplesProps) {
  return kind.count === 1 ? null : <Samples trace={trace} kind={kind} />;
}

type FewSamplesProps = Pick<KindChartProps, 'trace' | 'kind'>;

function Samples({ trace, kind }: FewSamplesProps) {
  const samples = useQuery(worstQuery(trace.id, { ...kind.request, limit: MOST }));
  const rows = samples.data?.items;
  const columns = useMemo(() => worstColumns(trace.id, rows ?? NOTHING, [kind]), [trace.id, rows, kind]);
  return (
    <Panel title="Samples" note={kind.count === 2 ? 'both of this kind' : `all ${kind.count} of this kind`}>
      <FailedQuery query={samples} />
      <div data-rendered={rows && kind.kind}>
        {samples.isPending && <Unplaced />}
        <Table
          label="Samples"
          columns={columns}
          rows={rows ?? NOTHING}
          keyOf={({ id }) => id}
          skeleton={samples.isPending ? kind.count : 0}
        />
      </div>
    </Panel>
  );
}
