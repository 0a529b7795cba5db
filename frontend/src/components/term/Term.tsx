import { useEffect, useId, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { visibleText } from '../../lib/visibleText';
import styles from './Term.module.css';

interface TermProps {
  /** What the term is called where there is room. */
  readonly title: string;
  /** What it means, as the core words it. */
  readonly meaning: string;
  /** What is below it is what it explains, and is not to be covered. */
  readonly isAbove?: boolean;
  /** The link or the button that is named by the term. */
  readonly children: ReactNode;
}

/** A term whose meaning is shown while the pointer or the focus is on it; Escape puts it away. */
export function Term({ title, meaning, isAbove = false, children }: TermProps) {
  const id = useId();
  const term = useRef<HTMLSpanElement>(null);
  const [place, setPlace] = useState<CSSProperties>();
  const open = () =>
    setPlace(term.current ? placeAt(term.current.getBoundingClientRect(), isAbove) : undefined);
  const timer = useRef<number>(undefined);
  // A person who clicks knows the term, and wants to see what the click does.
  const isPressed = useRef(false);
  const isUnderPointer = useRef(false);
  const openSoon = () => {
    if (!isUnderPointer.current) timer.current = window.setTimeout(open, HOVER_MS);
    isUnderPointer.current = true;
  };
  const close = () => {
    window.clearTimeout(timer.current);
    setPlace(undefined);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // A screen reader reads the meaning with the control; what is drawn is in another part of the document.
  const describe = (element: HTMLElement | null) => {
    const control = term.current?.querySelector('a, button');
    if (element === null || !control) return undefined;
    control.setAttribute('aria-describedby', id);
    return () => control.removeAttribute('aria-describedby');
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the control in it has the focus
    <span
      ref={term}
      // Not the events of entering: a page that opens under a pointer at rest, such as after a click, sends them, too,
      // and would begin with a part of it covered.
      onPointerMove={openSoon}
      onPointerLeave={() => {
        isPressed.current = false;
        isUnderPointer.current = false;
        close();
      }}
      onPointerDown={() => {
        isPressed.current = true;
        close();
      }}
      onFocus={() => {
        if (!isPressed.current) open();
      }}
      onBlur={close}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {children}
      {place &&
        createPortal(
          <span ref={describe} id={id} role="tooltip" className={styles.meaning} style={place}>
            <strong>{visibleText(title)}</strong>
            {visibleText(meaning)}
          </span>,
          // Outside of the landmarks, a reader who goes from one to the next would miss it.
          document.querySelector('main') ?? document.body,
        )}
    </span>
  );
}

/** A pointer on its way down a list asks for nothing. */
const HOVER_MS = 300;
const WIDTH_PX = { below: 360, above: 560 } as const;
const MARGIN_PX = 8;
/** As much as the longest meaning takes. */
const ROOM_PX = { below: 200, above: 144 } as const;

/** Under the term, or above it near the foot of the screen and where that is wanted, without a gap that the pointer would fall into. */
function placeAt({ left, top, bottom }: DOMRect, prefersAbove: boolean): CSSProperties {
  const { innerWidth, innerHeight } = window;
  const isAbove = prefersAbove && top >= ROOM_PX.above;
  const width = Math.min(isAbove ? WIDTH_PX.above : WIDTH_PX.below, innerWidth - 2 * MARGIN_PX);
  const isBelow = !isAbove && (bottom + ROOM_PX.below < innerHeight || top < ROOM_PX.below);
  return {
    width,
    left: Math.max(MARGIN_PX, Math.min(left, innerWidth - width - MARGIN_PX)),
    ...(isBelow ? { top: bottom } : { bottom: innerHeight - top }),
  };
}
