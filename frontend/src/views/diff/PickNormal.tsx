import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { instancesQuery } from '../../api/calls';
import { normalsQuery } from '../../api/diff';
import { caseQuery, seriesQuery } from '../../api/latencies';
import { useTrace } from '../../api/traces';
import { useLaneStretch } from '../../components/chart/laneRequest';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { Dialog } from '../../components/dialog/Dialog';
import { Loading } from '../../components/Loading';
import { Panel } from '../../components/panel/Panel';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { PointPicker } from '../../components/series/PointPicker';
import { lanesByCpu, type PointLane } from '../../components/series/series';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { type DiffRef, type DiffState, printRef } from '../../viewState/diff';
import { OtherTraces } from './OtherTraces';
import { PasteLink } from './PasteLink';

interface PickNormalProps {
  readonly abnormal: DiffRef;
  /** The id of the present normal side; of a set, of its median. */
  readonly normal: string;
  readonly state: DiffState;
  readonly onPick: (normal: DiffRef) => void;
  readonly onClose: () => void;
}

const MOST_POINTS = 5000;
const COLUMNS = 1600;

/** All calls or cases like the abnormal one, in its trace and in others, to pick the normal one from. */
export default function PickNormal({ abnormal, normal, state, onPick, onClose }: PickNormalProps) {
  const trace = useTrace(abnormal.trace);
  const normals = useQuery(normalsQuery(printRef(abnormal)));
  const end = trace.data?.duration_ns;
  const error = trace.error ?? normals.error;
  const symbol = normals.data?.function;
  const Plot = typeof symbol === 'string' ? CallPoints : CasePoints;
  return (
    <Dialog title="Compare with…" isWide onClose={onClose}>
      {error && <ProblemNote problem={problemOf(error)} />}
      {normals.data && typeof end === 'number' && (
        <>
          <Plot
            abnormal={abnormal}
            normal={normal}
            symbol={symbol ?? ''}
            endNs={end + 1}
            onPick={(id) => {
              if (id !== abnormal.id) onPick({ trace: abnormal.trace, id });
            }}
          />
          <Panel title="Other traces">
            <OtherTraces normals={normals.data} state={state} onPick={onClose} />
          </Panel>
        </>
      )}
      <PasteLink onPick={onPick} />
    </Dialog>
  );
}

interface PointsProps extends Pick<PickNormalProps, 'abnormal' | 'normal'> {
  readonly symbol: string;
  readonly endNs: number;
  readonly onPick: (id: string) => void;
}

/** The window of the plot: how one looks around in a dialog is no part of the page's state. */
function useDialogWindow(endNs: number) {
  const domain = useMemo<TimeWindow>(() => ({ start: 0, end: endNs }), [endNs]);
  const live = useLiveWindow(domain, NOT_WRITTEN);
  return { domain, live, stretch: useLaneStretch(live.window, domain, COLUMNS) };
}

const NOT_WRITTEN = () => undefined;

function CallPoints(props: PointsProps) {
  const { domain, live, stretch } = useDialogWindow(props.endNs);
  const { start, end } = stretch;
  const asked = { function: props.symbol, start, end, limit: MOST_POINTS };
  const found = useQuery(instancesQuery(props.abnormal.trace, asked));
  const lanes = useMemo(() => found.data && lanesByCpu(found.data), [found.data]);
  const label = `Calls of ${visibleText(props.symbol)} over time`;
  return <Points {...props} error={found.error} lanes={lanes} label={label} domain={domain} live={live} />;
}

function CasePoints(props: PointsProps) {
  const { abnormal, endNs } = props;
  const { domain, live, stretch } = useDialogWindow(endNs);
  const found = useQuery(caseQuery(abnormal.trace, abnormal.id));
  const kind = found.data?.kind ?? '';
  const series = useQuery({
    ...seriesQuery(abnormal.trace, { kind, ...stretch }),
    enabled: found.data !== undefined,
  });
  const label = `Latencies of the kind ${visibleText(kind)} over time`;
  return (
    <Points
      {...props}
      error={found.error ?? series.error}
      lanes={series.data?.lanes}
      label={label}
      domain={domain}
      live={live}
    />
  );
}

interface PlottedProps extends PointsProps {
  readonly error: Error | null;
  readonly lanes: readonly PointLane[] | undefined;
  readonly label: string;
  readonly domain: TimeWindow;
  readonly live: ReturnType<typeof useLiveWindow>;
}

function Points({ abnormal, normal, error, lanes, label, domain, live, onPick }: PlottedProps) {
  if (error !== null) return <ProblemNote problem={problemOf(error)} />;
  if (lanes === undefined) return <Loading what="the others" />;
  return (
    <PointPicker
      label={label}
      lanes={lanes}
      domain={domain}
      live={live}
      abnormal={abnormal.id}
      normal={normal}
      hint="Click to compare with it"
      touchHint="Tap to compare with it"
      renderedMark={label}
      onPick={onPick}
    />
  );
}
