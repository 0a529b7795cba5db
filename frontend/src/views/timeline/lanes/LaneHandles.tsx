import {
  memo,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import type { LaneScene } from '../../../components/chart/laneScene';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { laneName } from '../HoverStrip';
import { laneIds } from './arrangeLanes';
import styles from './LaneHandles.module.css';
import { LaneMenu } from './LaneMenu';
import { useClock } from '../../../components/clock/useClock';
import { laneValue } from './laneValue';
import type { LaneArrangement } from './useLaneArrangement';

interface LaneHandlesProps {
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  /** Where the lanes rest: what is said of them would be gone before it is read while they move. */
  readonly window: TimeWindow;
  readonly scroll: number;
  readonly arrangement: LaneArrangement;
}

interface Handle {
  readonly lane: PlannedLane;
  readonly top: number;
  readonly height: number;
}

const DRAG_SLACK_PX = 4;

/**
 * The names of the lanes as buttons: one stop of Tab, on which the arrow keys lead from lane to lane and Alt moves one.
 * A drag moves it, too; a click opens what else can be done.
 */
export function LaneHandles({ lanes, scene, window, scroll, arrangement }: LaneHandlesProps) {
  const clock = useClock();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  const [opened, setOpened] = useState<string>();
  const handles = useMemo(() => handlesOf(lanes, scene), [lanes, scene]);
  // What is said of them goes through all that they have, which the picture of them need not wait for.
  const [spoken, rested] = [useDeferredValue(handles), useDeferredValue(window)];
  const values = useMemo(
    () => new Map(spoken.map(({ lane }) => [lane.id, laneValue(lane, rested, clock)])),
    [spoken, rested, clock],
  );
  const drag = useLaneDrag(handles, box, scroll, arrangement);
  const stop = (handles.find(({ lane }) => lane.id === current) ?? handles[0])?.lane.id;

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const id = handles[at]?.lane.id;
    if (by === 0 || id === undefined) return;
    // The page's own arrow keys move between slices.
    event.preventDefault();
    if (event.altKey) arrangement.shift(id, by);
    else buttons[at + by]?.focus();
  };
  const shown = handles.find(({ lane }) => lane.id === opened);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys arrive here from the buttons
    <div
      ref={box}
      className={styles.handles}
      role="group"
      aria-label="Lanes"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setCurrent((before) => laneAt(target) ?? before)}
      onClick={({ target, detail }) => {
        // In the menu of a lane, no lane is at the pointer.
        if (detail === 0 || !drag.wasDragged()) setOpened((before) => laneAt(target) ?? before);
      }}
      {...drag.on}
    >
      {handles.map(({ lane, top, height }) => (
        <HandleButton
          key={lane.id}
          id={lane.id}
          name={laneName(lane)}
          value={values.get(lane.id) ?? ''}
          top={top - scroll}
          height={height}
          isPinned={arrangement.isPinned(lane.id)}
          isStop={lane.id === stop}
        />
      ))}
      {drag.line !== undefined && <div className={styles.line} style={{ top: drag.line - scroll }} />}
      {shown && <LaneMenu lane={shown.lane} arrangement={arrangement} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

interface HandleButtonProps {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly top: number;
  readonly height: number;
  readonly isPinned: boolean;
  /** The one of all that Tab leads to. */
  readonly isStop: boolean;
}

/** Drawn anew only where something of it changed: of 64 CPUs there are two hundred, under lanes that move. */
const HandleButton = memo(function HandleButton(props: HandleButtonProps) {
  const { id, name, value, top, height, isPinned, isStop } = props;
  return (
    <button
      type="button"
      id={`lane-${id}`}
      className={styles.handle}
      style={{ top, height }}
      data-lane={id}
      data-name={name}
      data-pinned={isPinned}
      aria-haspopup="menu"
      aria-label={`${name}${isPinned ? ', pinned' : ''}: ${value}`}
      title={`${name}: ${value}`}
      tabIndex={isStop ? 0 : -1}
    />
  );
});

/** The lane whose name an event is at. */
function laneAt(target: EventTarget): string | undefined {
  const handle = target instanceof Element ? target.closest<HTMLElement>('[data-lane]') : null;
  return handle?.dataset['lane'];
}

/** Lanes with where they are, each as high as it and the rows nested in it. */
function handlesOf(lanes: readonly PlannedLane[], scene: LaneScene): readonly Handle[] {
  const first = new Set(laneIds(lanes));
  const starts = lanes.flatMap(({ id }, row) => (first.has(id) ? [row] : []));
  return starts.flatMap((row, index): readonly Handle[] => {
    const lane = lanes[row];
    const last = (starts[index + 1] ?? lanes.length) - 1;
    const top = scene.tops[row];
    if (lane === undefined || top === undefined) return [];
    const end = (scene.tops[last] ?? top) + (scene.rows[last]?.height ?? 0);
    return [{ lane, top, height: end - top }];
  });
}

interface Drag {
  readonly id: string;
  readonly y: number;
  readonly to?: number;
}

/** Drags a lane by its name to above another one. */
function useLaneDrag(
  handles: readonly Handle[],
  box: { readonly current: HTMLElement | null },
  scroll: number,
  arrangement: LaneArrangement,
) {
  const [drag, setDrag] = useState<Drag>();
  const moved = useRef(false);
  const placeOf = (clientY: number) => {
    const y = clientY - (box.current?.getBoundingClientRect().top ?? 0) + scroll;
    const index = handles.findIndex(({ top, height }) => y < top + height / 2);
    return index < 0 ? handles.length : index;
  };
  const onPointerDown = (event: PointerEvent) => {
    const id = laneAt(event.target);
    moved.current = false;
    if (event.button !== 0 || id === undefined) return;
    setDrag({ id, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag === undefined) return;
    if (!moved.current && Math.abs(event.clientY - drag.y) < DRAG_SLACK_PX) return;
    if (!moved.current) event.currentTarget.setPointerCapture(event.pointerId);
    moved.current = true;
    setDrag({ ...drag, to: placeOf(event.clientY) });
  };
  const onPointerUp = () => {
    if (drag?.to !== undefined && handles[drag.to]?.lane.id !== drag.id) {
      arrangement.place({ id: drag.id, above: handles[drag.to]?.lane.id });
    }
    setDrag(undefined);
  };
  const last = handles.at(-1);
  return {
    on: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => setDrag(undefined) },
    /** Where it would be. */
    line: drag?.to === undefined ? undefined : (handles[drag.to]?.top ?? (last ? last.top + last.height : 0)),
    /** A click follows each press; that after a drag opens nothing, unless it comes from a key. */
    wasDragged: () => moved.current,
  };
}
