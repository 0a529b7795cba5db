import { Button } from '../../components/button/Button';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { WindowText } from '../../components/chart/WindowText';
import { CpuSwitches, Switch, SwitchGroup, Toolbar, ToolbarGap } from '../../components/toolbar/Toolbar';
import type { LaneKind } from '../../viewState/timeline';

interface TimelineToolbarProps {
  readonly window: TimeWindow;
  readonly cpus: readonly number[];
  readonly shownCpus: readonly number[];
  readonly kinds: readonly LaneKind[];
  readonly hidden: readonly LaneKind[];
  readonly dragging: 'pan' | 'area';
  readonly isLoading: boolean;
  readonly onCpus: (cpus: readonly number[]) => void;
  readonly onHidden: (kinds: readonly LaneKind[]) => void;
  readonly onDragging: (dragging: 'pan' | 'area') => void;
  readonly onFit: () => void;
  readonly onTable: () => void;
  readonly onPicture: (format: 'png' | 'svg') => void;
  readonly eventsShown: boolean;
  readonly onEvents: () => void;
}

const KIND_NAMES: Record<LaneKind, string> = {
  sched: 'running',
  irq: 'irq',
  softirq: 'softirq',
  idle: 'idle',
  counter: 'counters',
};

/** Above the lanes: what is in sight, which lanes are shown, what dragging does, and the ways out. */
export function TimelineToolbar(props: TimelineToolbarProps) {
  const { window, cpus, shownCpus, kinds, hidden } = props;
  const toggleKind = (kind: LaneKind) =>
    props.onHidden(hidden.includes(kind) ? hidden.filter((other) => other !== kind) : [...hidden, kind]);
  return (
    <Toolbar>
      <WindowText window={window} isLoading={props.isLoading} />
      <SwitchGroup name="Lanes">
        {kinds.map((kind) => (
          <Switch key={kind} isOn={!hidden.includes(kind)} onClick={() => toggleKind(kind)}>
            {KIND_NAMES[kind]}
          </Switch>
        ))}
      </SwitchGroup>
      <CpuSwitches cpus={cpus} shown={shownCpus} onShown={props.onCpus} />
      <ToolbarGap />
      <SwitchGroup name="Drag">
        <Switch isOn={props.dragging === 'pan'} onClick={() => props.onDragging('pan')}>
          pans
        </Switch>
        <Switch isOn={props.dragging === 'area'} onClick={() => props.onDragging('area')}>
          selects
        </Switch>
      </SwitchGroup>
      <Button look="bare" label="Show the whole trace, or the selection (F)" onClick={props.onFit}>
        Fit
      </Button>
      <Button look="bare" label="What the lanes show, as a table" onClick={props.onTable}>
        Table
      </Button>
      <Button look="bare" label="Save the lanes as a PNG picture" onClick={() => props.onPicture('png')}>
        PNG
      </Button>
      <Button look="bare" label="Save the lanes as an SVG picture" onClick={() => props.onPicture('svg')}>
        SVG
      </Button>
      <Button
        look="bare"
        label="Show or hide the events (E)"
        pressed={props.eventsShown}
        onClick={props.onEvents}
      >
        Events
      </Button>
    </Toolbar>
  );
}
