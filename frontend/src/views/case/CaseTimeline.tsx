import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { timelineQuery } from '../../api/lanes';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import { sceneHeight } from '../../components/chart/laneScene';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneOption';
import { timeTicks } from '../../components/chart/timeTicks';
import { useElementSize } from '../../components/chart/useElementSize';
import { useLaneStretch } from '../../components/chart/useLaneStretch';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { fillLanes, itemName, planLanes } from '../../components/lanes/laneModel';
import { timelineScene } from '../../components/lanes/timelineScene';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { useTheme } from '../../components/theme/theme';
import { exactNs, ns } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { caseState } from '../../viewState/case';
import { useViewState } from '../../viewState/useViewState';
import { caseMarks, homeWindow } from './caseMarks';
import styles from './CaseTimeline.module.css';

interface CaseTimelineProps {
  readonly trace: Trace;
  readonly found: LatencyCase;
}

const GUTTER_PX = 112;
const MOST_HEIGHT_PX = 280;
/** Under the lanes, for the names of the marks. */
const FLAGS_PX = 20;
const EVERYTHING = { cpu: [], hide: [] };

/** The lanes of the CPUs that the case was on, around it, with the case marked. */
export default function CaseTimeline({ trace, found }: CaseTimelineProps) {
  const [state, setState] = useViewState(caseState);
  const theme = useTheme();
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const chart = useRef<LaneChartHandle>(null);
  const domain = useMemo(() => ({ start: 0, end: (trace.duration_ns ?? 0) + 1 }), [trace.duration_ns]);
  const home = useMemo(() => homeWindow(found, domain), [found, domain]);
  const commit = useCallback(
    (next: { start: number; end: number }) => {
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: next.start === home.start && next.end === home.end ? undefined : window });
    },
    [home, setState],
  );
  const live = useLiveWindow(state.window ?? home, commit);
  const width = Math.max(0, size.width - GUTTER_PX);
  const stretch = useLaneStretch(live.window, domain, width);
  const cpus = [...new Set([found.cpu, found.start_cpu ?? found.cpu])].map((cpu) => `cpu${cpu}`).join(',');
  const { data: answer, error } = useQuery({
    ...timelineQuery(trace.id, { ...stretch, lanes: cpus }),
    enabled: width > 0,
  });
  const lanes = useMemo(
    () => (answer ? fillLanes(planLanes([answer], EVERYTHING), answer) : undefined),
    [answer],
  );
  const scene = useMemo(() => lanes && answer && timelineScene(lanes, answer, theme), [lanes, answer, theme]);
  const height = scene
    ? Math.min(MOST_HEIGHT_PX, sceneHeight(scene) + AXIS_HEIGHT_PX + FLAGS_PX)
    : 3 * AXIS_HEIGHT_PX;
  const lane = hovered && lanes?.[hovered.row]?.lane;
  return (
    <>
      <div ref={attachSize} style={{ height }}>
        {error !== null && <ProblemNote problem={problemOf(error)} />}
        {scene?.rows.length === 0 && (
          <p className={styles.note}>
            No lanes of this CPU: scheduling and interrupt events were not recorded.
          </p>
        )}
        {scene !== undefined && scene.rows.length > 0 && (
          <LaneChart
            ref={chart}
            scene={scene}
            window={live.window}
            domain={domain}
            ticksFor={timeTicks}
            label={`Timeline around the case, ${visibleText(found.headline)}`}
            renderedMark={`${live.window.start}-${live.window.end}`}
            gutter={GUTTER_PX}
            hovered={hovered}
            area={{ start: found.t, end: found.end }}
            marks={caseMarks(found, live.window)}
            onWindow={live.move}
            onSettled={live.settle}
            onArea={live.move}
            onHover={setHovered}
            onPick={() => undefined}
            onOpen={() => live.jump(home)}
          />
        )}
      </div>
      <Strip testId="case-hover">
        {lane && hovered?.item !== undefined && answer ? (
          <>
            <Subject>{itemName(lane, hovered.item, answer)}</Subject>
            <Fact name="start">{exactNs(ns(lane.t[hovered.item] ?? 0))}</Fact>
            <Fact name="length">{exactNs(ns(lane.duration_ns[hovered.item] ?? 0))}</Fact>
          </>
        ) : (
          <Hint>Drag pans · Ctrl-wheel zooms · double click goes back to the case</Hint>
        )}
        {state.window && (
          <Button look="bare" onClick={() => live.jump(home)}>
            Back to the case
          </Button>
        )}
      </Strip>
    </>
  );
}
