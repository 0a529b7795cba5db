import { useState } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneHit } from '../../components/chart/LaneChart';
import { timeTicks } from '../../components/chart/timeTicks';
import { useElementSize } from '../../components/chart/useElementSize';
import { itemName } from '../../components/lanes/laneModel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { exactNs, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { NotRecorded } from '../../components/NotRecorded';
import { caseMarks, lanesHeight } from './caseMarks';
import { useCaseLanes, type CaseLanes } from './useCaseLanes';

interface CaseTimelineProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
}

const GUTTER_PX = 144;

const NEEDED = ['sched:sched_switch', 'irq', 'irq_vectors'];

/** The lanes of the CPUs that the case was on, around it, with the case marked. */
export default function CaseTimeline({ trace, latencyCase }: CaseTimelineProps) {
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const around = useCaseLanes(trace, latencyCase, Math.max(0, size.width - GUTTER_PX));
  const { live, scene, query } = around;
  const isEmpty = scene?.rows.length === 0;
  return (
    <>
      <FailedQuery query={query} />
      <div ref={attachSize} style={{ height: lanesHeight(latencyCase) }}>
        {isEmpty && <NotRecorded what="This trace does not record what ran on this CPU." needs={NEEDED} />}
        {scene !== undefined && scene.rows.length > 0 && (
          <LaneChart
            scene={scene}
            window={live.window}
            domain={around.domain}
            ticksFor={timeTicks}
            label={`Timeline around the case, ${visibleText(latencyCase.headline)}`}
            renderedMark={`${live.window.start}-${live.window.end}`}
            gutter={GUTTER_PX}
            hovered={hovered}
            area={{ start: latencyCase.t, end: latencyCase.end }}
            marks={caseMarks(latencyCase, live.window)}
            onWindow={live.move}
            onSettled={live.settle}
            onArea={live.move}
            onHover={setHovered}
            onPick={() => undefined}
            onOpen={() => live.jump(around.home)}
          />
        )}
      </div>
      <CaseStrip around={around} hovered={hovered} />
    </>
  );
}

interface CaseStripProps {
  readonly around: CaseLanes;
  readonly hovered: LaneHit | undefined;
}

/** What the pointer is at, and the way back to the case. */
function CaseStrip({ around: { lanes, answer, live, home, hasMoved }, hovered }: CaseStripProps) {
  const lane = hovered && lanes?.[hovered.row]?.lane;
  return (
    <Strip testId="case-hover">
      {lane && hovered?.item !== undefined && answer ? (
        <>
          <Subject>{itemName(lane, hovered.item, answer)}</Subject>
          <Fact name="start">{exactNs(ns(lane.t[hovered.item] ?? 0))}</Fact>
          <Fact name="length">{exactNs(ns(lane.duration_ns[hovered.item] ?? 0))}</Fact>
        </>
      ) : (
        <Hint>Drag to pan · Ctrl+wheel to zoom · double-click to return to the case</Hint>
      )}
      {hasMoved && (
        <Button look="bare" onClick={() => live.jump(home)}>
          Back to the case
        </Button>
      )}
    </Strip>
  );
}
