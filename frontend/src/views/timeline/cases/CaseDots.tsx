import { useRef, type KeyboardEvent } from 'react';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { useClock } from '../../../components/clock/useClock';
import { FailedLine } from '../../../components/problem/FailedLine';
import { measureOf } from '../../../lib/measure';
import { ns } from '../../../lib/ns';
import { instantText } from '../../../lib/stamp';
import { visibleText } from '../../../lib/visibleText';
import { ALL_KINDS, NO_KIND } from '../../../viewState/timeline';
import { currentDot, placeDots, type CaseDot } from './caseDots';
import styles from './Cases.module.css';
import type { Cases } from './useCases';

interface CaseDotsProps {
  readonly cases: Cases;
  readonly window: TimeWindow;
  readonly gutter: number;
  /** Id of the opened case, or nothing. */
  readonly opened: string;
  readonly onKind: (kind: string) => void;
}

/** The worst cases above the lanes, the longer the higher. One stop of Tab; the arrow keys walk through them. */
export function CaseDots({ cases, window, gutter, opened, onKind }: CaseDotsProps) {
  const track = useRef<HTMLDivElement>(null);
  const dots = placeDots(cases.items, window);
  const current = currentDot(dots, opened);
  return (
    <div className={styles.row} role="group" aria-label="Worst cases" aria-busy={cases.isPending}>
      <div className={styles.head} style={{ width: gutter }}>
        <select
          className={styles.kinds}
          aria-label="Kind of the cases above the lanes"
          title="Which of the worst cases are the dots"
          value={cases.choice}
          onChange={(event) => onKind(event.target.value)}
        >
          {cases.kinds.map(({ kind }) => (
            <option key={kind} value={kind}>
              {visibleText(kind)}
            </option>
          ))}
          <option value={ALL_KINDS}>all kinds</option>
          <option value={NO_KIND}>no cases</option>
        </select>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys arrive here from the dots */}
      <div ref={track} className={styles.track} onKeyDown={(event) => walk(event, track.current)}>
        {dots.map((dot) => (
          <Dot
            key={dot.item.id}
            dot={dot}
            isOpen={dot.item.id === opened}
            isCurrent={dot.item.id === current}
            onOpen={() => cases.open(dot.item)}
          />
        ))}
        <Instead cases={cases} isEmpty={dots.length === 0} />
      </div>
    </div>
  );
}

interface DotProps {
  readonly dot: CaseDot;
  readonly isOpen: boolean;
  /** The one that Tab leads to. */
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}

/** Pixels between the dot of the shortest and that of the longest. */
const CLIMB_PX = 10;

function Dot({ dot: { item, at, level, rank }, isOpen, isCurrent, onOpen }: DotProps) {
  const clock = useClock();
  const { kind, cpu, t, duration_ns, unit, headline } = item;
  const length = measureOf(unit, clock).text(duration_ns);
  const name = visibleText(
    `${kind}, ${length}, CPU ${cpu} at ${instantText(ns(t), null, clock)}: ${headline}`,
  );
  return (
    <button
      type="button"
      className={styles.dot}
      style={{ left: `${at * 100}%`, bottom: 1 + level * CLIMB_PX, zIndex: rank }}
      aria-label={name}
      aria-pressed={isOpen}
      title={name}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onOpen}
    />
  );
}

/** What there is to say where there are no dots. */
function Instead({ cases, isEmpty }: { readonly cases: Cases; readonly isEmpty: boolean }) {
  const { failed, isPending, kinds, choice } = cases;
  if (failed !== undefined) {
    return (
      <span className={styles.note}>
        <FailedLine query={failed}>Could not load the worst cases.</FailedLine>
      </span>
    );
  }
  if (!isEmpty || choice === NO_KIND) return null;
  if (isPending) return <span className={styles.note}>Loading the worst cases …</span>;
  return (
    <span className={styles.note}>
      {kinds.length === 0 ? (
        <>
          No latencies in this trace. <span className={styles.wide}>The overview says what to record.</span>
        </>
      ) : (
        'No cases in this window.'
      )}
    </span>
  );
}

/** Left and right lead to the dots beside the one in focus. */
function walk(event: KeyboardEvent, track: HTMLElement | null): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by === 0 || track === null) return;
  // The page's own arrow keys move between slices.
  event.preventDefault();
  const dots = [...track.querySelectorAll<HTMLElement>('button[aria-pressed]')];
  dots[dots.findIndex((dot) => dot === document.activeElement) + by]?.focus();
}
