import { useState } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneHit } from '../../components/chart/LaneChart';
import { AXIS_HEIGHT_PX, sceneHeight } from '../../components/chart/laneScene';
import { ticksOf } from '../../components/chart/timeTicks';
import { useElementSize } from '../../components/chart/useElementSize';
import { useClock } from '../../components/clock/useClock';
import { CallStrip } from '../../components/flame/CallStrip';
import { callStretch } from '../../components/flame/flameChart';
import { Panel } from '../../components/panel/Panel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Unplaced } from '../../components/Unplaced';
import { ViewLink } from '../../components/ViewLink';
import { recordedOrigin } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import styles from './CaseCalls.module.css';
import { useCaseCalls } from './useCaseCalls';

interface CaseCallsProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
  /** Id of the call that the case is. */
  readonly call: string;
}

const GUTTER_PX = 0;

/** The flame chart of the call that a case is. A click zooms to a call in it, a double click shows all of it. */
export default function CaseCalls({ trace, latencyCase, call }: CaseCallsProps) {
  const clock = useClock();
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const calls = useCaseCalls(trace, latencyCase, Math.max(0, size.width - GUTTER_PX));
  const { live, domain, rows, answer, scene, query } = calls;
  const inCalls = callsState.write({ ...callsState.read({}).state, call });
  return (
    <Panel
      title="Calls"
      note="of this case, over time"
      actions={
        <ViewLink to={paths.calls(trace.id)} search={inCalls}>
          Open in Calls
        </ViewLink>
      }
    >
      <FailedQuery query={query} />
      <div
        ref={attachSize}
        className={styles.chart}
        style={{ height: scene ? sceneHeight(scene) + AXIS_HEIGHT_PX + 4 : undefined }}
      >
        {!scene && !calls.hasFailed && <Unplaced />}
        {rows && scene && (
          <LaneChart
            scene={scene}
            window={live.window}
            domain={domain}
            ticksFor={ticksOf(clock)}
            label={`Calls of ${visibleText(latencyCase.key ?? 'this case')} over time`}
            renderedMark={query.isPlaceholderData ? undefined : `${live.window.start}-${live.window.end}`}
            gutter={GUTTER_PX}
            isInPage
            hovered={hovered}
            onWindow={live.move}
            onSettled={live.settle}
            onArea={live.move}
            onHover={setHovered}
            onPick={(hit) => {
              const stretch = hit && callStretch(rows, hit);
              if (stretch) calls.frame(stretch);
            }}
            onOpen={() => live.jump(domain)}
          />
        )}
      </div>
      {rows && answer && (
        <div className={styles.foot}>
          <CallStrip
            hit={hovered}
            rows={rows}
            answer={answer}
            originNs={recordedOrigin(trace)}
            whole="the whole call"
          />
          {calls.hasMoved && (
            <Button look="bare" onClick={() => live.jump(domain)}>
              Back to the whole call
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}
