import { useCallback, useMemo, useState, type Ref } from 'react';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneOption';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import { sceneHeight } from '../../components/chart/laneScene';
import { timeTicks } from '../../components/chart/timeTicks';
import { frameWindow, type TimeWindow } from '../../components/chart/timeWindow';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useTheme } from '../../components/theme/theme';
import { ns } from '../../lib/ns';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './DiffCharts.module.css';
import { diffScene } from './diffScene';
import type { DiffTree } from './diffTree';
import { Joins } from './Joins';

interface DiffChartsProps {
  readonly tree: DiffTree;
  readonly aNs: number;
  readonly bNs: number;
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
  readonly hovered: number | undefined;
  readonly onHover: (row: number | undefined) => void;
  readonly onSelect: (row: number | undefined) => void;
  /** Rows that are always joined. */
  readonly joined: readonly number[];
  readonly label: string;
  readonly renderedMark: string | undefined;
  readonly ref?: Ref<LaneChartHandle>;
}

const GUTTER_PX = 156;

/** Both sides above each other on one time scale, each from the start of its own root. */
export default function DiffCharts(props: DiffChartsProps) {
  const { tree, aNs, bNs, state, setState, hovered, joined, ref } = props;
  const theme = useTheme();
  const [at, setAt] = useState<number>();
  const drawing = useMemo(
    () => diffScene({ rows: tree.rows, aNs, bNs, colour: state.colour, theme }),
    [tree, aNs, bNs, state.colour, theme],
  );
  const domain = useMemo(() => roomBeside(drawing.endNs), [drawing.endNs]);
  const commit = useCallback(
    (next: TimeWindow) => {
      const isWhole = next.start <= domain.start && next.end >= domain.end;
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: isWhole ? undefined : window });
    },
    [domain, setState],
  );
  const live = useLiveWindow(state.window ?? domain, commit);
  const rowAt = (hit: LaneHit | undefined) =>
    hit?.item === undefined ? undefined : drawing.drawn[hit.row]?.[hit.item]?.id;
  const fit = () => {
    const boxes = (['a', 'b'] as const).flatMap((side) => drawing.boxes[side].get(state.row ?? -1) ?? []);
    if (boxes.length === 0) return live.jump(domain);
    const start = Math.min(...boxes.map((box) => box.start));
    const end = Math.max(...boxes.map((box) => box.end));
    return live.jump(frameWindow(start, end, domain));
  };
  useWindowKeys('Comparison', live, domain, at, fit);
  return (
    <div className={styles.charts} style={{ height: sceneHeight(drawing.scene) + AXIS_HEIGHT_PX + 4 }}>
      <LaneChart
        {...(ref !== undefined && { ref })}
        scene={drawing.scene}
        window={live.window}
        domain={domain}
        ticksFor={timeTicks}
        label={props.label}
        renderedMark={props.renderedMark}
        gutter={GUTTER_PX}
        isInPage
        onWindow={live.move}
        onSettled={live.settle}
        onArea={live.move}
        onHover={(hit) => {
          setAt(hit?.at);
          props.onHover(rowAt(hit));
        }}
        onPick={(hit) => props.onSelect(rowAt(hit))}
        onOpen={() => live.jump(domain)}
        renderOver={(place) => (
          <Joins
            drawing={drawing}
            window={live.window}
            place={place}
            joined={joined}
            hovered={hovered}
            selected={state.row}
          />
        )}
      />
    </div>
  );
}

/** Everything, and a little room so that the end of the longer side is seen to be one. */
function roomBeside(endNs: number): TimeWindow {
  return { start: 0, end: Math.ceil(endNs * 1.01) };
}
