import { Button } from '../../components/button/Button';
import { ChartWays } from '../../components/chart/ChartWays';
import type { PictureFormat } from '../../components/chart/pictureFile';
import { WindowText } from '../../components/chart/WindowText';
import { useExportFormats } from '../../api/catalog';
import { ExportButton } from '../../components/export/ExportButton';
import { CpuSwitches, Switch, SwitchGroup, Toolbar } from '../../components/toolbar/Toolbar';
import { ArrowChoice } from './arrows/ArrowChoice';
import { LaneTools } from './lanes/LaneTools';
import { TaskLaneChoice } from './tasks/TaskLaneChoice';
import { hasLanes } from '../../lib/hasLanes';
import type { TimelineParts } from './useTimelineParts';

interface TimelineToolbarProps extends Pick<
  TimelineParts,
  'trace' | 'timeline' | 'view' | 'state' | 'setState' | 'arrows' | 'arrangement'
> {
  readonly dragging: 'pan' | 'area';
  readonly onDragging: (dragging: 'pan' | 'area') => void;
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
}

const NO_CPUS: readonly number[] = [];

/** Above the lanes: what is in sight, which lanes are shown, what dragging does, and the ways out. */
export function TimelineToolbar(props: TimelineToolbarProps) {
  const { trace, timeline, view, state, setState, dragging, onDragging } = props;
  const exportFormats = useExportFormats();
  const { kinds } = timeline;
  const { hide } = state;
  const toggle = (kind: string) =>
    setState({ hide: hide.includes(kind) ? hide.filter((other) => other !== kind) : [...hide, kind] });
  return (
    <Toolbar
      rows={hasLanes(trace) ? 2 : 1}
      isWide={!hasLanes(trace)}
      // The list of tasks comes with their switches, and mostly arrows, too.
      isLong={!Object.hasOwn(trace.missing, 'sched')}
      tools={
        <>
          <SwitchGroup name="Drag">
            <Switch isOn={dragging === 'pan'} onClick={() => onDragging('pan')}>
              to pan
            </Switch>
            <Switch isOn={dragging === 'area'} onClick={() => onDragging('area')}>
              to select
            </Switch>
          </SwitchGroup>
          <Button
            look="bare"
            label="Fit the selection, or the whole trace (F)"
            onClick={() => view.live.jump(view.domain)}
          >
            Fit
          </Button>
          <ExportButton
            trace={trace}
            formats={exportFormats}
            part={{ window: state.window, cpu: state.cpu }}
          />
          <ChartWays what="the lanes" onTable={props.onTable} onPicture={props.onPicture} />
          <Button
            look="bare"
            label="Show or hide the events (E)"
            pressed={state.events === 'shown'}
            onClick={() => setState({ events: state.events === 'shown' ? 'hidden' : 'shown' })}
          >
            Events
          </Button>
        </>
      }
      // What comes with the answers comes after what is known at once, and moves none of it.
      second={
        kinds.length > 0 && (
          <>
            <SwitchGroup name="Lanes">
              {kinds.map(({ name, label }) => (
                <Switch key={name} isOn={!hide.includes(name)} onClick={() => toggle(name)}>
                  {label}
                </Switch>
              ))}
              <LaneTools arrangement={props.arrangement} hidden={state.without} />
            </SwitchGroup>
            <ArrowChoice arrows={props.arrows} state={state} setState={setState} />
            <TaskLaneChoice traceId={trace.id} state={state} setState={setState} />
          </>
        )
      }
    >
      <WindowText window={view.live.window} isLoading={!timeline.isComplete && timeline.error === null} />
      <CpuSwitches cpus={trace.cpus ?? NO_CPUS} shown={state.cpu} onShown={(cpu) => setState({ cpu })} />
    </Toolbar>
  );
}
