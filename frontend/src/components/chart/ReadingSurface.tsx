import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode, Ref } from 'react';
import styles from './ReadingSurface.module.css';

/** A place on the surface, in pixels from its left upper corner, or its size. */
export interface SurfacePixels {
  readonly x: number;
  readonly y: number;
}

interface ReadingSurfaceProps<Read> {
  readonly ref?: Ref<HTMLDivElement>;
  /** What is read, one at a time: `Run`. */
  readonly label: string;
  /** The one that is read now. */
  readonly read: Read | undefined;
  /** Its index among so many, and what is said of it. */
  readonly index: number | undefined;
  readonly count: number;
  readonly text: string | undefined;
  /** How far the plot is from the edges of the chart. */
  readonly place: CSSProperties;
  readonly className?: string | undefined;
  /** Absent where the plot has gestures of its own, which tell a click from a drag. */
  readonly pointTo?: (pointer: SurfacePixels, size: SurfacePixels) => Read | undefined;
  readonly keyTo: (key: string) => Read | undefined;
  readonly onRead: (read: Read | undefined) => void;
  readonly onOpen?: (read: Read) => void;
  readonly onDoubleClick?: () => void;
  readonly children?: ReactNode;
}

/**
 * Lies over a plot that is read by pointer and by keys, and is spoken as a slider. A click and Enter open what is read;
 * it is read no more once the pointer or the focus leaves.
 */
export function ReadingSurface<Read>(props: ReadingSurfaceProps<Read>) {
  const { ref, className, read, index, count, text, pointTo, keyTo, onRead, onOpen } = props;
  const leave = () => onRead(undefined);
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    onRead(pointTo?.({ x: event.clientX - left, y: event.clientY - top }, { x: width, y: height }));
  };
  const open = () => {
    if (read !== undefined) onOpen?.(read);
  };
  const press = (event: KeyboardEvent) => {
    const next = keyTo(event.key);
    if (next !== undefined) onRead(next);
    else if (event.key === 'Enter' && onOpen && read !== undefined) onOpen(read);
    else return;
    // Home and the arrows are keys of pages, too.
    event.preventDefault();
  };
  const pointing = pointTo && {
    onPointerMove: point,
    onPointerDown: point,
    // A finger that is lifted has left, but what it tapped is still being read.
    onPointerLeave: (event: PointerEvent) => event.pointerType !== 'touch' && leave(),
    onPointerCancel: leave,
    onClick: open,
  };
  return (
    <div
      ref={ref}
      className={`${styles.surface} ${className ?? ''}`}
      style={props.place}
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, count)}
      aria-valuenow={(index ?? 0) + 1}
      aria-valuetext={text ?? 'none'}
      data-opens={onOpen && read !== undefined ? '' : undefined}
      onKeyDown={press}
      onBlur={leave}
      onDoubleClick={props.onDoubleClick}
      {...pointing}
    >
      {props.children}
    </div>
  );
}

interface ReadSlotProps {
  /** Parts of the width of the plot. */
  readonly left: number;
  readonly width: number;
}

/** Marks all of what is read, where that has a width. */
export function ReadSlot({ left, width }: ReadSlotProps) {
  return <div className={styles.slot} style={{ left: `${100 * left}%`, width: `${100 * width}%` }} />;
}
