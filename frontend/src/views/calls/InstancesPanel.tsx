import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { instancesQuery, type FunctionInstances } from '../../api/calls';
import { Button } from '../../components/button/Button';
import { useLaneStretch } from '../../components/chart/laneRequest';
import { useTraceWindow } from '../../components/chart/useTraceWindow';
import { useClock } from '../../components/clock/useClock';
import { CompareLink } from '../../components/compare/CompareLink';
import { Loading } from '../../components/Loading';
import { Panel } from '../../components/panel/Panel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { lanesByCpu, seriesHeight } from '../../components/series/series';
import { PointPicker } from '../../components/series/PointPicker';
import { SqlLink } from '../../components/SqlLink';
import { ViewLink } from '../../components/ViewLink';
import { callsSql } from '../../lib/asSql';
import type { Clock } from '../../lib/clock';
import { countText } from '../../lib/ns';
import { spreadText } from '../../lib/mad';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import type { CallsPart } from './Calls';
import styles from './InstancesPanel.module.css';
import { WindowSwitch } from './WindowSwitch';

const MOST_POINTS = 5000;
/** As many as a statement may answer with. */
const MOST_ROWS = 100_000;
/** As on a wide screen; what is loaded does not depend on this one's width. */
const COLUMNS = 1600;
/** The line under the points. */
const STRIP_PX = 24;

/** All calls of one function over time, of which two are picked to be compared. */
export function InstancesPanel({ trace, state, setState }: Pick<CallsPart, 'trace' | 'state' | 'setState'>) {
  const { domain, live } = useTraceWindow(trace.duration_ns, state.window, setState);
  const clock = useClock();
  const { start, end } = useLaneStretch(live.window, domain, COLUMNS);
  const request = { function: state.of, start, end, limit: MOST_POINTS };
  const instances = useQuery(instancesQuery(trace.id, request));
  const lanes = useMemo(() => instances.data && lanesByCpu(instances.data), [instances.data]);
  const name = visibleText(state.of);
  const cpuCount = trace.cpus?.length ?? 1;
  const close = () => setState({ of: '', abnormal: undefined, normal: undefined }, { history: 'push' });
  const pick = (id: string) => setState(pickedAfter(state, id), { history: 'push' });
  return (
    <Panel
      title={`Calls of ${name}`}
      note={instances.data && summaryText(instances.data, clock)}
      actions={
        <>
          {/* Below merged calls the window is that of all of them, in their toolbar. */}
          {state.show === 'functions' ? <WindowSwitch state={state} setState={setState} /> : null}
          <SqlLink
            traceId={trace.id}
            sql={callsSql(state.of, state.window ?? domain)}
            what="these calls"
            limit={MOST_ROWS}
          />
          <Button look="bare" label="Close" onClick={close}>
            ✕
          </Button>
        </>
      }
    >
      <FailedQuery query={instances} />
      {instances.isPending && (
        <div style={{ minHeight: seriesHeight(cpuCount) + STRIP_PX }}>
          <Loading what="the calls" />
        </div>
      )}
      {lanes !== undefined && !instances.isError && (
        <PointPicker
          label={`Calls of ${name} over time`}
          lanes={lanes}
          cpuCount={cpuCount}
          domain={domain}
          live={live}
          abnormal={state.abnormal}
          normal={state.normal}
          hint={hintOf(state)}
          touchHint={`Tap to pick the ${state.abnormal === undefined ? 'abnormal' : 'normal'} call`}
          renderedMark={instances.isPlaceholderData ? undefined : name}
          plotClass={styles.plot}
          onPick={pick}
        />
      )}
      <Picked trace={trace} state={state} />
    </Panel>
  );
}

type Picks = Pick<CallsPart['state'], 'abnormal' | 'normal'>;

/** The first one that is picked is the abnormal one, the next the normal one; a second click drops either. */
function pickedAfter({ abnormal, normal }: Picks, id: string): Picks {
  if (id === abnormal) return { abnormal: normal, normal: undefined };
  if (id === normal) return { abnormal, normal: undefined };
  return abnormal === undefined ? { abnormal: id, normal } : { abnormal, normal: id };
}

function hintOf({ abnormal }: Picks): string {
  return abnormal === undefined
    ? 'Click to pick the abnormal call'
    : 'Click to pick the normal call; click it again to drop it';
}

function summaryText({ count, spread, is_decimated, notes }: FunctionInstances, clock: Clock): string {
  const parts = [
    `${countText(count, 'call')} in view${is_decimated ? ', not all drawn' : ''}`,
    spread && spreadText(spread, clock),
    ...notes.map(visibleText),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

function Picked({ trace, state: { abnormal, normal } }: Pick<CallsPart, 'trace' | 'state'>) {
  if (abnormal === undefined) return null;
  return (
    <p className={styles.picked}>
      <span>
        abnormal <CallLink traceId={trace.id} id={abnormal} />
      </span>
      <span>
        normal {normal === undefined ? 'the median call' : <CallLink traceId={trace.id} id={normal} />}
      </span>
      <CompareLink
        page="Calls"
        abnormal={{ trace: trace.id, id: abnormal }}
        normal={normal === undefined ? undefined : { trace: trace.id, id: normal }}
      />
    </p>
  );
}

function CallLink({ traceId, id }: { readonly traceId: string; readonly id: string }) {
  const search = callsState.write({ ...callsState.read({}).state, call: id });
  return (
    <ViewLink to={paths.calls(traceId)} search={search} title="Open in the flame chart">
      <code>{id}</code>
    </ViewLink>
  );
}
