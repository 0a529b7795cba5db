import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { callQuery, callsQuery } from '../../api/calls';
import type { Trace } from '../../api/types';
import { laneStretch, useLaneStretch } from '../../components/chart/laneRequest';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneScene';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useTheme } from '../../components/theme/theme';
import type { CallsState } from '../../viewState/calls';
import { callRows, flameScene, type Direction } from '../../components/flame/flameChart';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useKeys } from '../../components/keys/keys';
import type { SetViewState } from '../../viewState/useViewState';

const OVERVIEW_COLUMNS = 800;

export type FlameChartData = ReturnType<typeof useFlameChart>;

/** The calls of the window, in rows that are as deep as the whole trace needs. */
export function useFlameChart(
  trace: Trace,
  domain: TimeWindow,
  window: TimeWindow,
  { width, height }: { readonly width: number; readonly height: number },
  { by, cpu, pid, q, window: settled }: Pick<CallsState, 'by' | 'cpu' | 'pid' | 'q' | 'window'>,
) {
  const { name, palette } = useTheme();
  const stretch = useLaneStretch(window, domain, width);
  const calls = useQuery({ ...callsQuery(trace.id, { ...stretch, by, cpu, pid }), enabled: width > 0 });
  // Only for the depths; the server may refuse it for a very large trace, and the rows then follow the window.
  const whole = useQuery({
    ...callsQuery(trace.id, { ...domain, width: OVERVIEW_COLUMNS, by, cpu, pid }),
    retry: false,
  });
  const answer = calls.data;
  const overview = whole.isPlaceholderData ? undefined : whole.data;
  // Drawn before the whole trace is there, rows would move: those of CPUs get deeper, most of tasks are only in it.
  const isMissingRows = !whole.isError && (by === 'task' ? overview : whole.data) === undefined;
  // Not while the window moves: its rows stay where they are.
  const { start, end } = settled ?? domain;
  const rows = useMemo(
    () =>
      answer && !isMissingRows
        ? callRows(
            [overview, answer].filter((known) => known !== undefined),
            { start, end },
          )
        : undefined,
    [overview, answer, isMissingRows, start, end],
  );
  const room = height - AXIS_HEIGHT_PX;
  const scene = useMemo(
    () => rows && answer && flameScene(rows, answer, name, room, { q, muted: palette.line }),
    [rows, answer, name, room, q, palette],
  );
  const wanted = laneStretch(window, domain, width);
  const isComplete =
    calls.isSuccess &&
    !calls.isPlaceholderData &&
    wanted.start === stretch.start &&
    wanted.width === stretch.width;
  return {
    answer,
    rows,
    scene,
    error: calls.error,
    retry: () => void calls.refetch(),
    isComplete,
    /** Whether all rows are where they will be. */
    isSettled: isComplete && !whole.isFetching,
  };
}

/** A link that names a call and no window opens with that call filling the screen. */
export function useFrameLinkedCall(
  trace: string,
  id: string | undefined,
  isOpen: boolean,
  frame: (stretch: TimeWindow) => void,
) {
  const found = useQuery({ ...callQuery(trace, id ?? ''), enabled: id !== undefined && isOpen });
  const call = found.data?.call;
  const framed = useRef<string>(undefined);
  const show = useRef(frame);
  useEffect(() => {
    show.current = frame;
  });
  useEffect(() => {
    if (!isOpen || call === undefined || framed.current === call.id) return;
    framed.current = call.id;
    show.current({ start: call.t, end: call.t + call.duration_ns });
  }, [call, isOpen]);
}

interface FlameKeys {
  readonly view: TraceWindow;
  readonly setState: SetViewState<CallsState>;
  /** The time under the pointer. */
  readonly anchor: number | undefined;
  readonly step: (direction: Direction) => void;
}

/** The keys of the flame chart. */
export function useFlameKeys({ view, setState, anchor, step }: FlameKeys): void {
  useWindowKeys('Calls over time', view.live, view.domain, anchor);
  useKeys('Calls over time', [
    { keys: ['ArrowLeft', ','], does: 'Previous call at this depth', run: () => step('left') },
    { keys: ['ArrowRight', '.'], does: 'Next call at this depth', run: () => step('right') },
    { keys: ['ArrowUp'], does: 'Its caller', run: () => step('up') },
    { keys: ['ArrowDown'], does: 'The first call that it makes', run: () => step('down') },
    { keys: ['Escape'], does: 'Clear the selection', run: () => setState({ call: undefined }) },
  ]);
}
