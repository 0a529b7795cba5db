import { AXIS_HEIGHT_PX } from '../../components/chart/laneOption';
import { LaneChart } from '../../components/chart/LaneChart';
import { sceneHeight } from '../../components/chart/laneScene';
import { timeTicks } from '../../components/chart/timeTicks';
import styles from './DiffCharts.module.css';
import { Joins } from './Joins';
import { useDiffCharts, type DiffChartsInput } from './useDiffCharts';

interface DiffChartsProps extends DiffChartsInput {
  readonly hovered: number | undefined;
  readonly onHover: (row: number | undefined) => void;
  readonly onSelect: (row: number | undefined) => void;
  /** Rows that are always joined. */
  readonly joined: readonly number[];
  readonly label: string;
  readonly renderedMark: string | undefined;
}

const GUTTER_PX = 184;

/** Both sides above each other on one time scale, each from the start of its own root. */
export default function DiffCharts(props: DiffChartsProps) {
  const { drawing, domain, live, rowAt, setAt } = useDiffCharts(props);
  return (
    <div className={styles.charts} style={{ height: sceneHeight(drawing.scene) + AXIS_HEIGHT_PX + 4 }}>
      <LaneChart
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
            joined={props.joined}
            hovered={props.hovered}
            selected={props.state.row}
          />
        )}
      />
    </div>
  );
}
