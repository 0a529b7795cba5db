import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { readStored, store } from '../../lib/stored';
import styles from './SplitPane.module.css';

interface SplitPaneProps {
  /** Under this name the height is remembered on this machine; it is no part of a page's state. */
  readonly name: string;
  readonly children: ReactNode;
  /** Absent while it is closed: the upper part then has all the room. */
  readonly lower: ReactNode | undefined;
  /** Pixels that the lower part can use, beyond which it takes none by itself. */
  readonly lowerPx?: number;
  /** What the upper part can use, in pixels or as its content takes, beyond which the lower one has the rest. */
  readonly upperMost?: number | 'max-content' | undefined;
}

const LEAST_PX = 96;
const KEY_STEP_PX = 24;

/** Two parts above each other with a border between them that can be dragged, or moved by the arrow keys. */
export function SplitPane({ name, children, lower, lowerPx, upperMost }: SplitPaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(() => rememberedHeight(name));
  const resize = (wanted: number) => {
    const room = pane.current?.clientHeight ?? 0;
    const next = Math.round(Math.max(LEAST_PX, Math.min(room - LEAST_PX, wanted)));
    setHeight(next);
    store(storedAs(name), next.toString());
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || pane.current === null) return;
    resize(pane.current.getBoundingClientRect().bottom - event.clientY);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: KEY_STEP_PX, ArrowDown: -KEY_STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize((lowerHeight(pane.current) ?? 0) + step);
  };
  const isFree = lower !== undefined && height === undefined;
  return (
    <div className={styles.pane} ref={pane}>
      <div className={styles.upper} style={isFree ? { maxHeight: upperMost } : undefined}>
        {children}
      </div>
      {lower !== undefined && (
        <>
          <div
            className={styles.border}
            role="separator"
            aria-orientation="horizontal"
            aria-label="Height of the lower pane"
            aria-valuenow={height ?? 50}
            tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- a separator that moves is a widget
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={onPointerMove}
            onKeyDown={onKeyDown}
          />
          <div
            className={styles.lower}
            style={height === undefined ? { maxHeight: lowerPx } : { height, flexGrow: 0 }}
          >
            {lower}
          </div>
        </>
      )}
    </div>
  );
}

const lowerHeight = (pane: HTMLElement | null) => pane?.lastElementChild?.clientHeight;

const storedAs = (name: string) => `jitterscope.${name}`;

function rememberedHeight(name: string): number | undefined {
  const height = Number(readStored(storedAs(name)));
  return height >= LEAST_PX ? height : undefined;
}
