import { useEffect, useMemo, useRef, type PointerEvent } from 'react';
import type { TimelineAnswer } from '../../api/lanes';
import { Chart } from '../../components/chart/Chart';
import { dropPainters } from '../../components/chart/echarts';
import { laneInks } from '../../components/chart/laneInks';
import { laneOption } from '../../components/chart/laneOption';
import { scenePainters } from '../../components/chart/lanePainters';
import { buildScene, sceneHeight } from '../../components/chart/laneScene';
import { placeWindow, spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { useTheme } from '../../components/theme/theme';
import { minimapScene } from '../../components/lanes/timelineScene';
import styles from './Minimap.module.css';

interface MinimapProps {
  readonly overview: TimelineAnswer | undefined;
  readonly view: TraceWindow;
  readonly gutter: number;
}

type Grip = 'move' | 'start' | 'end';

const EMPTY = buildScene({ rows: [], fills: [], texts: [] });
const HEIGHT_PX = 40;
const GRIP_PX = 6;

/** The whole trace in a strip, with a frame around what is in sight: drag it, drag its edges, or point elsewhere. */
export function Minimap({ overview, view, gutter }: MinimapProps) {
  const { domain } = view;
  const { window, move, settle } = view.live;
  const strip = useRef<HTMLDivElement>(null);
  const held = useRef<{ grip: Grip; x: number; window: TimeWindow }>(undefined);
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

  const perPixel = () => spanOf(domain) / Math.max(1, strip.current?.clientWidth ?? 1);
  const left = (window.start - domain.start) / spanOf(domain);
  const share = spanOf(window) / spanOf(domain);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || strip.current === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const x = event.clientX - strip.current.getBoundingClientRect().left;
    const width = strip.current.clientWidth;
    const grip = gripAt(x, left * width, (left + share) * width);
    let from = window;
    if (grip === undefined) {
      from = placeWindow(domain.start + x * perPixel() - spanOf(window) / 2, spanOf(window), domain);
      move(from);
    }
    held.current = { grip: grip ?? 'move', x: event.clientX, window: from };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (held.current === undefined) return;
    move(dragged(held.current, (event.clientX - held.current.x) * perPixel(), domain));
  };
  const onPointerUp = () => {
    if (held.current) settle();
    held.current = undefined;
  };

  // Nothing to find one's way by, as in a trace of calls alone.
  if (overview && scene.rows.length === 0) return null;
  return (
    <div className={styles.minimap} style={{ paddingLeft: gutter, height: HEIGHT_PX }}>
      <div
        ref={strip}
        className={styles.strip}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
      >
        <div style={{ height: Math.min(HEIGHT_PX, Math.max(1, sceneHeight(scene))) }}>
          <Chart
            option={option}
            label="The whole trace in short; the frame marks what the lanes below show"
          />
        </div>
        <div
          className={styles.frame}
          style={{ left: `${left * 100}%`, width: `max(3px, ${share * 100}%)` }}
        />
      </div>
    </div>
  );
}

function gripAt(x: number, from: number, to: number): Grip | undefined {
  if (x < from - GRIP_PX || x > to + GRIP_PX) return undefined;
  // A frame of a few pixels is only good for moving.
  if (to - from < 4 * GRIP_PX) return 'move';
  if (x < from + GRIP_PX) return 'start';
  return x > to - GRIP_PX ? 'end' : 'move';
}

function dragged(
  { grip, window }: { grip: Grip; window: TimeWindow },
  by: number,
  domain: TimeWindow,
): TimeWindow {
  if (grip === 'move') return placeWindow(window.start + by, spanOf(window), domain);
  if (grip === 'end') return placeWindow(window.start, spanOf(window) + by, domain);
  const start = Math.min(window.end - 1, Math.max(domain.start, window.start + by));
  return placeWindow(start, window.end - start, domain);
}
