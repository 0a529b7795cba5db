import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { caseQuery } from '../../api/latencies';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { useClock } from '../../components/clock/useClock';
import { useElementSize } from '../../components/chart/useElementSize';
import { useWindowHeight } from '../../components/chart/useWindowHeight';
import { Loading } from '../../components/Loading';
import { Ruler } from '../../components/ruler/Ruler';
import { Strip } from '../../components/strip/Strip';
import { ViewLink } from '../../components/ViewLink';
import { hasLanes } from '../../lib/hasLanes';
import { measureOfCase } from '../../lib/measure';
import { ns } from '../../lib/ns';
import { paths } from '../../viewState/paths';
import { lanesHeight } from './caseMarks';
import styles from './CaseWay.module.css';
import { casePieces, normalPieces } from '../../components/ruler/latePart';
import { LanesMissing } from './LanesMissing';
import { StageList } from './StageList';
import { useCaseWindow } from './useCaseWindow';
import type { Lights } from './useLit';

// The chart library is large, and neither the sentence at the top nor the ruler should wait for it.
const CaseTimeline = lazy(() => import('./CaseTimeline'));

interface CaseWayProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
  readonly lights: Lights;
}

/** Pixels for the names of the rows: fewer where there are few. */
const GUTTER_PX = { wide: 152, narrow: 120, narrowUpTo: 640 } as const;

/** The way of the case: its stages as one ruler over the full width, and under it on the same axis what ran. */
export function CaseWay({ trace, latencyCase, lights }: CaseWayProps) {
  const [size, attach] = useElementSize();
  const lanesPx = lanesHeight(latencyCase, useWindowHeight());
  const around = useCaseWindow(trace, latencyCase);
  const { lit, point, pick } = lights;
  const clock = useClock();
  const { window } = around.live;
  const gutter = size.width > GUTTER_PX.narrowUpTo ? GUTTER_PX.wide : GUTTER_PX.narrow;
  // A bare number is no time that anything could have taken.
  const { isTime } = measureOfCase(latencyCase);
  return (
    <section ref={attach} className={styles.way} aria-label="The way of the case">
      {latencyCase.stages.length > 0 && <StageList latencyCase={latencyCase} lights={lights} />}
      {isTime && (
        <>
          <Ruler
            look="case"
            name="this case"
            pieces={casePieces(latencyCase, clock)}
            window={window}
            gutter={gutter}
            lit={lit}
            onPoint={(id) => point(id === 'all' ? undefined : id)}
            onPick={(id) => {
              if (id !== 'all') pick(id);
            }}
          />
          {latencyCase.normal !== null && (
            <NormalRuler traceId={trace.id} latencyCase={latencyCase} window={window} gutter={gutter} />
          )}
        </>
      )}
      {hasLanes(trace) ? (
        <Suspense fallback={<LanesToCome height={lanesPx} />}>
          <CaseTimeline trace={trace} latencyCase={latencyCase} around={around} gutter={gutter} lit={lit} />
        </Suspense>
      ) : trace.is_measurement ? (
        <p className={styles.note}>
          A program measured this, and its file has no record of what ran. To see why, link a trace of the
          same run to it <ViewLink to={paths.trace(trace.id)}>on the overview</ViewLink>.
        </p>
      ) : (
        <LanesMissing />
      )}
    </section>
  );
}

interface NormalRulerProps {
  readonly traceId: string;
  readonly latencyCase: LatencyCase;
  readonly window: { readonly start: number; readonly end: number };
  readonly gutter: number;
}

/** The normal case, begun at the same moment; an empty row until it is known. */
function NormalRuler({ traceId, latencyCase, window, gutter }: NormalRulerProps) {
  const clock = useClock();
  const { data: normal } = useQuery(caseQuery(traceId, latencyCase.normal ?? ''));
  return (
    <Ruler
      look="normal"
      name="normal"
      pieces={normal ? normalPieces(normal, latencyCase.t) : []}
      window={window}
      gutter={gutter}
      length={normal && clock.brief(ns(normal.duration_ns))}
      note={normal && 'the median of its kind'}
    />
  );
}

/** The place of the lanes and of the line under them. */
function LanesToCome({ height }: { readonly height: number }) {
  return (
    <>
      <div style={{ height }}>
        <Loading what="the timeline" />
      </div>
      <Strip>{null}</Strip>
    </>
  );
}
