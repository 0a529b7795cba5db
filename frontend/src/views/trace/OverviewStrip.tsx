import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, type MouseEvent } from 'react';
import { timelineQuery } from '../../api/lanes';
import { Chart } from '../../components/chart/Chart';
import { dropPainters } from '../../components/chart/echarts';
import { laneInks } from '../../components/chart/painter';
import { laneOption } from '../../components/chart/laneOption';
import { scenePainters } from '../../components/chart/lanePainters';
import { sceneHeight } from '../../components/chart/laneScene';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { placeWindow } from '../../components/chart/timeWindow';
import { NotRecorded } from '../../components/NotRecorded';
import { useTheme } from '../../components/theme/theme';
import { ViewLink } from '../../components/ViewLink';
import { ns } from '../../lib/ns';
import { paths } from '../../viewState/paths';
import { timelineState } from '../../viewState/timeline';
import { overviewScene, type Overview } from './overviewScene';
import styles from './OverviewStrip.module.css';
import { Panel } from '../../components/panel/Panel';

interface OverviewStripProps {
  readonly traceId: string;
  readonly durationNs: number;
}

/** Enough cells for a wide screen; the canvas scales what is left over. */
const WIDTH_PX = 1200;
/** A click opens this share of the trace, around the place that was clicked. */
const OPENED_SHARE = 1 / 20;

/** What ran on each CPU over the whole trace, as the way into the timeline. Nothing where no scheduling was recorded. */
export default function OverviewStrip({ traceId, durationNs }: OverviewStripProps) {
  const theme = useTheme();
  const lanes = useQuery(timelineQuery(traceId, { start: 0, end: durationNs, width: WIDTH_PX }));
  const overview = useMemo(
    () => (lanes.data ? overviewScene(lanes.data, theme) : undefined),
    [lanes.data, theme],
  );
  return (
    <Panel title="Running tasks" note={<ViewLink to={paths.timeline(traceId)}>Open the timeline</ViewLink>}>
      <FailedQuery query={lanes} />
      {overview?.rows.length === 0 && (
        <NotRecorded what="No running task was recorded." needs={['sched:sched_switch']} />
      )}
      {overview && <Strip overview={overview} traceId={traceId} durationNs={durationNs} />}
      {lanes.isPending && <div className={styles.waiting} />}
    </Panel>
  );
}

function Strip({ overview, traceId, durationNs }: OverviewStripProps & { readonly overview: Overview }) {
  const { scene, rows } = overview;
  const { palette } = useTheme();
  const navigate = useNavigate();
  useEffect(() => () => dropPainters(`${scene.id}/`), [scene.id]);
  const option = useMemo(
    () =>
      laneOption({
        scene,
        painters: scenePainters(scene, { ...laneInks(palette), line: palette.ground }),
        window: { start: 0, end: durationNs },
        ticks: { at: [] },
        palette,
        gutter: 0,
        scroll: 0,
        axisHeight: 0,
        target: 'screen',
      }),
    [scene, palette, durationNs],
  );

  const openAt = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientX - box.left) / Math.max(1, box.width)) * durationNs;
    const span = durationNs * OPENED_SHARE;
    const { start, end } = placeWindow(at - span / 2, span, { start: 0, end: durationNs });
    const window = { start: ns(Math.floor(start)), end: ns(Math.ceil(end)) };
    const search = timelineState.write({ ...timelineState.read({}).state, window });
    void navigate({ to: paths.timeline(traceId), search: search as never }); // routes come from a table, so the router cannot know their search types
  };

  return (
    <div className={styles.strip}>
      <div className={styles.names} aria-hidden>
        {rows.map(({ cpu, heightPx }) => (
          <span key={cpu} style={{ height: heightPx }}>
            {heightPx >= 12 ? `CPU ${cpu}` : ''}
          </span>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the link above does the same from the keyboard */}
      <div className={styles.lanes} style={{ height: sceneHeight(scene) }} onClick={openAt}>
        <Chart
          option={option}
          label="Running tasks of every CPU over the whole trace"
          renderedMark={scene.id}
        />
      </div>
    </div>
  );
}
