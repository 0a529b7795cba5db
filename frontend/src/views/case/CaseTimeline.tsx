import { useCallback, useState } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { LaneChart, type LaneHit } from '../../components/chart/LaneChart';
import { AXIS_HEIGHT_PX, itemStretch, sceneHeight } from '../../components/chart/laneScene';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useElementSize } from '../../components/chart/useElementSize';
import { useWindowHeight } from '../../components/chart/useWindowHeight';
import { ItemFacts } from '../../components/lanes/ItemFacts';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import type { Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { caseMarks, caseTicks, lanesHeight } from './caseMarks';
import styles from './CaseWay.module.css';
import { casePieces } from '../../components/ruler/latePart';
import { LanesMissing } from './LanesMissing';
import type { Lit } from './lit';
import { useCaseLanes } from './useCaseLanes';
import type { CaseWindow } from './useCaseWindow';

interface CaseTimelineProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
  readonly around: CaseWindow;
  readonly gutter: number;
  readonly lit: Lit | undefined;
}

/** The lanes under the ruler, on its time axis: of the case's CPUs, of its task and of who woke it. */
export default function CaseTimeline({ trace, latencyCase, around, gutter, lit }: CaseTimelineProps) {
  const [size, attachSize] = useElementSize();
  const clock = useClock();
  const [hovered, setHovered] = useState<LaneHit>();
  const windowPx = useWindowHeight();
  const lanes = useCaseLanes(trace, latencyCase, around, Math.max(0, size.width - gutter), windowPx);
  const { domain, live, home } = around;
  const { scene, query } = lanes;
  // Ticks that are made anew paint all lanes anew, at every move of the pointer.
  const ticksFor = useCallback(
    (window: TimeWindow, width: number) => caseTicks(latencyCase.t, window, width, clock),
    [latencyCase.t, clock],
  );
  const late = casePieces(latencyCase).filter(({ isLate }) => isLate);
  // More kinds of lanes than room was kept for grow the page: nobody expects a scroll bar in a list of a few
  // lanes.
  const scenePx = AXIS_HEIGHT_PX + (scene ? sceneHeight(scene) : 0);
  const height = Math.max(lanesHeight(latencyCase, windowPx), scenePx);
  const isEmpty = scene?.rows.length === 0;
  return (
    <>
      <FailedQuery query={query} />
      <div ref={attachSize} style={isEmpty ? undefined : { height }}>
        {isEmpty && <LanesMissing />}
        {scene !== undefined && scene.rows.length > 0 && (
          <LaneChart
            scene={scene}
            window={live.window}
            domain={domain}
            ticksFor={ticksFor}
            label={`Timeline around the case, ${visibleText(latencyCase.headline)}`}
            renderedMark={`${live.window.start}-${live.window.end}`}
            gutter={gutter}
            isInPage
            hovered={hovered}
            area={lit}
            marks={caseMarks(latencyCase)}
            onWindow={live.move}
            onSettled={live.settle}
            onArea={live.move}
            onHover={setHovered}
            onPick={() => undefined}
            onOpen={() => live.jump(home)}
            renderOver={({ plotWidth }) => (
              <LateBands late={late} window={live.window} plotWidth={plotWidth} />
            )}
          />
        )}
      </div>
      {isEmpty ? null : (
        <CaseStrip latencyCase={latencyCase} around={around} lanes={lanes} hovered={hovered} />
      )}
    </>
  );
}

interface LateBandsProps {
  readonly late: ReturnType<typeof casePieces>;
  readonly window: CaseWindow['live']['window'];
  readonly plotWidth: number;
}

/** The late part of the ruler carried down through the lanes. */
function LateBands({ late, window, plotWidth }: LateBandsProps) {
  const scale = plotWidth / Math.max(1, window.end - window.start);
  return late.map(({ id, start, end }) => {
    const left = Math.max(-4, (start - window.start) * scale);
    const right = Math.min(plotWidth + 4, (end - window.start) * scale);
    return right < left ? null : (
      <span key={id} className={styles.late} style={{ left, width: right - left }} />
    );
  });
}

interface CaseStripProps {
  readonly latencyCase: LatencyCase;
  readonly around: CaseWindow;
  readonly lanes: ReturnType<typeof useCaseLanes>;
  readonly hovered: LaneHit | undefined;
}

/** What the pointer is at, and the way back to the case. */
function CaseStrip({ latencyCase, around: { live, home, hasMoved }, lanes, hovered }: CaseStripProps) {
  const clock = useClock();
  const { scene, answer } = lanes;
  const stretch = scene && itemStretch(scene, hovered?.row, hovered?.item);
  const items = scene?.rows[hovered?.row ?? -1]?.items;
  const name = scene?.texts[items?.text?.[hovered?.item ?? -1] ?? -1];
  const planned = lanes.lanes?.[hovered?.row ?? -1];
  return (
    <Strip testId="case-hover">
      {hovered && answer && stretch && planned?.lane?.detail === 'buckets' ? (
        <ItemFacts planned={planned} hit={hovered} answer={answer} />
      ) : stretch ? (
        <>
          {name !== undefined && <Subject>{name}</Subject>}
          <Fact name="from the start">{sinceText(Math.round(stretch.start) - latencyCase.t, clock)}</Fact>
          <Fact name="duration">{clock.exact(ns(Math.round(stretch.end - stretch.start)))}</Fact>
        </>
      ) : (
        <Hint touch="Drag to pan · double-tap to return to the case">
          Drag to pan · Ctrl+wheel to zoom · double-click to return to the case
        </Hint>
      )}
      {hasMoved && (
        <Button look="bare" onClick={() => live.jump(home)}>
          Back to the case
        </Button>
      )}
    </Strip>
  );
}

const sinceText = (since: number, clock: Clock) =>
  `${since < 0 ? '−' : '+'}${clock.duration(ns(Math.abs(since)))}`;
