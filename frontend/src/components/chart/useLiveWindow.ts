import { useCallback, useEffect, useRef, useState } from 'react';
import { spanOf, type TimeWindow } from './timeWindow';

export interface LiveWindow {
  readonly window: TimeWindow;
  /** One step of a continuous movement; written down once it rests. */
  readonly move: (window: TimeWindow) => void;
  /** The movement is over: write it down now. A zoom is a step that Back undoes, a pan is part of the step before. */
  readonly settle: () => void;
  /** Go somewhere else in one step, which Back undoes; as a part of the step before it where `replace` is said. */
  readonly jump: (window: TimeWindow, history?: 'push' | 'replace') => void;
}

type Commit = (window: TimeWindow, history: 'push' | 'replace') => void;

const REST_MS = 200;
const GLIDE_MS = 120;

/**
 * The window in sight, which moves with every frame, over the one in the URL, which browsers allow to be written
 * only a few times a second. A jump is written at once and glided to afterwards. A new window in the URL (Back, a
 * link) always wins, also over a glide that is on its way.
 */
export function useLiveWindow(settled: TimeWindow, commit: Commit): LiveWindow {
  const [live, setLive] = useState(settled);
  const [seen, setSeen] = useState(settled);
  const [goal, setGoal] = useState<TimeWindow>();
  const newest = useRef(live);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const write = useRef(commit);
  const written = useRef(settled);
  useEffect(() => {
    write.current = commit;
    written.current = settled;
  });

  if (settled.start !== seen.start || settled.end !== seen.end) {
    setSeen(settled);
    if (goal === undefined || changeOf(goal, settled) !== undefined) {
      setGoal(undefined);
      setLive(settled);
    }
  }
  useEffect(() => {
    newest.current = live;
  }, [live]);

  const show = useCallback((window: TimeWindow) => {
    newest.current = window;
    setLive(window);
  }, []);
  useEffect(() => {
    if (goal === undefined) return;
    return glide(newest.current, goal, show, () => {
      // The URL holds whole nanoseconds.
      show(changeOf(goal, written.current) === undefined ? written.current : goal);
      setGoal(undefined);
    });
  }, [goal, show]);

  const rest = useCallback(() => {
    clearTimeout(resting.current);
    resting.current = undefined;
  }, []);
  useEffect(() => rest, [rest]);

  const settle = useCallback(() => {
    // Nothing has been moved by hand: a glide is written already.
    if (resting.current === undefined) return;
    rest();
    const change = changeOf(written.current, newest.current);
    if (change === undefined) return;
    // Two ends of one movement may settle before the page has seen the first.
    written.current = newest.current;
    write.current(newest.current, change);
  }, [rest]);
  const move = useCallback(
    (window: TimeWindow) => {
      rest();
      setGoal(undefined);
      show(window);
      resting.current = setTimeout(settle, REST_MS);
    },
    [rest, show, settle],
  );
  const jump = useCallback(
    (target: TimeWindow, history: 'push' | 'replace' = 'push') => {
      // Where the movement had come to is what Back must lead to.
      settle();
      setGoal(target);
      write.current(target, history);
    },
    [settle],
  );
  return { window: live, move, settle, jump };
}

/** How the history takes the way from one window to another; nothing where they are the same. */
export function changeOf(from: TimeWindow, to: TimeWindow): 'push' | 'replace' | undefined {
  const isSameSpan = Math.round(spanOf(from)) === Math.round(spanOf(to));
  if (!isSameSpan) return 'push';
  return Math.round(from.start) === Math.round(to.start) ? undefined : 'replace';
}

function glideMs(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : GLIDE_MS;
}

/** Shows the way from one window to another, frame by frame, and says when it is there; what comes back stops it. */
function glide(
  from: TimeWindow,
  to: TimeWindow,
  show: (window: TimeWindow) => void,
  arrive: () => void,
): () => void {
  const began = performance.now();
  const step = (now: number) => {
    const share = Math.min(1, (now - began) / glideMs());
    if (share === 1) return arrive();
    show(between(from, to, Math.max(0, share)));
    next = requestAnimationFrame(step);
  };
  let next = requestAnimationFrame(step);
  return () => cancelAnimationFrame(next);
}

/** A window on the way: the span changes by equal factors, so that a zoom over six decades is smooth. */
function between(from: TimeWindow, to: TimeWindow, share: number): TimeWindow {
  const [a, b] = [spanOf(from), spanOf(to)];
  const span = a * (b / a) ** share;
  // The left edge moves as the span does, or a deep zoom would rush past its target and come back.
  const way = a === b ? share : (span - a) / (b - a);
  const start = from.start + (to.start - from.start) * way;
  return { start, end: start + span };
}
