import { useEffect, useRef, type KeyboardEvent } from 'react';
import { keyNames } from '../../../components/keys/keyNames';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { laneName } from '../HoverStrip';
import styles from './LaneHandles.module.css';
import type { LaneArrangement } from './useLaneArrangement';

interface LaneMenuProps {
  readonly lane: PlannedLane;
  readonly arrangement: LaneArrangement;
  readonly onClose: () => void;
}

interface Item {
  readonly does: string;
  readonly keys: readonly string[];
  readonly run: () => void;
}

/** What can be done with a lane; the browser closes it on Escape and on a click elsewhere. */
export function LaneMenu({ lane, arrangement, onClose }: LaneMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { id, series } = lane;
  useEffect(() => {
    const element = menu.current;
    const handle = document.getElementById(`lane-${id}`);
    const place = handle?.getBoundingClientRect();
    if (element === null || place === undefined) return undefined;
    element.showPopover();
    const room = window.innerHeight - element.offsetHeight - 8;
    element.style.left = `${place.right}px`;
    element.style.top = `${Math.max(8, Math.min(room, place.top))}px`;
    element.querySelector('button')?.focus();
    return () => handle?.focus({ preventScroll: true });
  }, [id]);
  const items: readonly Item[] = [
    {
      does: arrangement.isPinned(id) ? 'Unpin' : 'Pin to the top',
      keys: [],
      run: () => arrangement.pin(id),
    },
    { does: 'Move up', keys: ['Alt+ArrowUp'], run: () => arrangement.shift(id, -1) },
    { does: 'Move down', keys: ['Alt+ArrowDown'], run: () => arrangement.shift(id, 1) },
    {
      does: series ? 'Go to the highest value in view' : 'Go to the longest slice in view',
      keys: ['>'],
      run: () => arrangement.goTo(lane, 'most'),
    },
    {
      does: series ? 'Go to the lowest value in view' : 'Go to the shortest slice in view',
      keys: ['<'],
      run: () => arrangement.goTo(lane, 'least'),
    },
    { does: 'Taller lanes', keys: ['+'], run: () => arrangement.grow(1) },
    { does: 'Shorter lanes', keys: ['-'], run: () => arrangement.grow(-1) },
    { does: 'Hide', keys: [], run: () => arrangement.hide(id) },
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    event.stopPropagation();
    if (by === 0) return;
    event.preventDefault();
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons.at((at + by) % buttons.length)?.focus();
  };
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={laneName(lane)}
      className={styles.menu}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
    >
      {items.map(({ does, keys, run }) => (
        <button
          key={does}
          type="button"
          role="menuitem"
          className={styles.item}
          onClick={() => {
            onClose();
            run();
          }}
        >
          {does}
          {keyNames(keys).map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </button>
      ))}
    </div>
  );
}
