import { useEffect, useMemo, useRef } from 'react';
import type { TimelineAnswer } from '../../api/lanes';
import { Chart } from '../../components/chart/Chart';
import { dropPainters } from '../../components/chart/echarts';
import { laneInks } from '../../components/chart/painter';
import { laneOption } from '../../components/chart/laneOption';
import { scenePainters } from '../../components/chart/lanePainters';
import { buildScene, sceneHeight } from '../../components/chart/laneScene';
import { spanOf } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { useTheme } from '../../components/theme/theme';
import { minimapScene } from '../../components/lanes/timelineScene';
import styles from './Minimap.module.css';
import { useMinimapDrag } from './useMinimapDrag';

interface MinimapProps {
  readonly overview: TimelineAnswer | undefined;
  readonly view: TraceWindow;
  readonly gutter: number;
}

const EMPTY = buildScene({ rows: [], fills: [], texts: [] });
const HEIGHT_PX = 40;

/** The whole trace in a strip, with a frame around what is in sight: drag it, drag its edges, or point elsewhere. */
export function Minimap({ overview, view, gutter }: MinimapProps) {
  const { domain } = view;
  const { window } = view.live;
  const strip = useRef<HTMLDivElement>(null);
  const dragging = useMinimapDrag(strip, view);
  const { name, palette } = useTheme();
  const scene = useMemo(
    () => (overview ? minimapScene(overview, HEIGHT_PX, { name, palette }) : EMPTY),
    [overview, name, palette],
  );
  useEffect(() => () => dropPainters(`${scene.id}/`), [scene.id]);
  const option = useMemo(() => {
    const painters = scenePainters(scene, { ...laneInks(palette), line: palette.ground });
    return laneOption({
      scene,
      painters,
      window: domain,
      ticks: { at: [] },
      palette,
      gutter: 0,
      scroll: 0,
      axisHeight: 0,
      target: 'screen',
    });
  }, [scene, palette, domain]);

  const left = (window.start - domain.start) / spanOf(domain);
  const share = spanOf(window) / spanOf(domain);
  return (
    <div className={styles.minimap} style={{ paddingLeft: gutter, height: HEIGHT_PX }}>
      <div ref={strip} className={styles.strip} {...dragging}>
        <div style={{ height: overview ? Math.min(HEIGHT_PX, sceneHeight(scene)) : HEIGHT_PX }}>
          <Chart option={option} label="The whole trace; the frame marks the visible window" />
        </div>
        <div
          className={styles.frame}
          style={{ left: `${left * 100}%`, width: `max(3px, ${share * 100}%)` }}
        />
      </div>
    </div>
  );
}
