import type { ReactNode } from 'react';
import type { DiffAnswer } from '../../api/diff';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { KeyHint } from '../../components/keys/KeyHint';
import { Switch, SwitchGroup, Toolbar } from '../../components/toolbar/Toolbar';
import type { Clock } from '../../lib/clock';
import { exactText, groupDigits, type Ns, ns, unitOf } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { type DiffRef, type DiffState, diffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './DiffToolbar.module.css';

interface DiffToolbarProps {
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
  /** Opens the list of single calls or cases. */
  readonly onPick: () => void;
  /** Absent where the normal side is a set. */
  readonly onSwap: (() => void) | undefined;
  readonly shapes: DiffAnswer['shapes'];
  readonly isLoading: boolean;
  /** Exports, at the right end. */
  readonly children: ReactNode;
}

/** What is compared, what counts as noise, and what colours mean. */
export function DiffToolbar({
  state,
  setState,
  onPick,
  onSwap,
  shapes,
  isLoading,
  children,
}: DiffToolbarProps) {
  const { normal } = state;
  const take = (choice: DiffState['normal']) =>
    setState({ normal: choice, row: undefined, toggled: [], window: undefined }, { history: 'push' });
  return (
    <Toolbar isWide tools={children}>
      <Shapes shapes={shapes} onNormal={take} />
      <SwitchGroup name="normal">
        <Switch isOn={normal === 'auto'} onClick={() => take('auto')}>
          the median
        </Switch>
        <Switch isOn={normal === 'all'} onClick={() => take('all')}>
          all others
        </Switch>
        <Switch isOn={typeof normal === 'object'} onClick={onPick}>
          Compare with… <KeyHint>P</KeyHint>
        </Switch>
      </SwitchGroup>
      <Button look="bare" disabled={onSwap === undefined} {...(onSwap && { onClick: onSwap })}>
        Swap <KeyHint>X</KeyHint>
      </Button>
      <NoiseFloor floor={state.floor} onFloor={(floor) => setState({ floor, toggled: [] })} />
      <SwitchGroup name="colour by">
        <Switch isOn={state.colour === 'self'} onClick={() => setState({ colour: 'self' })}>
          self
        </Switch>
        <Switch isOn={state.colour === 'total'} onClick={() => setState({ colour: 'total' })}>
          total
        </Switch>
      </SwitchGroup>
      <span aria-live="polite">{isLoading ? 'comparing …' : ''}</span>
    </Toolbar>
  );
}

interface ShapesProps {
  readonly shapes: DiffAnswer['shapes'];
  readonly onNormal: (normal: DiffRef) => void;
}

/** What the others are like, each with its count; one of them is compared with. */
function Shapes({ shapes, onNormal }: ShapesProps) {
  const clock = useClock();
  if (shapes.length === 0) return null;
  return (
    <SwitchGroup name="shape">
      {shapes.map((shape) => (
        <Switch
          key={shape.normal}
          isOn={shape.is_compared}
          onClick={() => {
            const { abnormal } = diffState.read({ abnormal: shape.normal }).state;
            if (abnormal) onNormal(abnormal);
          }}
        >
          {`${shapeText(shape)} × ${groupDigits(shape.count)}, ${clock.duration(ns(shape.median_ns))}`}
        </Switch>
      ))}
    </SwitchGroup>
  );
}

/** What distinguishes a shape from the others: `tick_nohz_handler, no hrtimer_wakeup`. */
function shapeText({ with: own, without }: DiffAnswer['shapes'][number]): string {
  const names = [...own, ...without.map((name) => `no ${name}`)];
  return names.length === 0 ? 'others' : visibleText(names.join(', '));
}

const STEPS_NS = [0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000] as const;

interface NoiseFloorProps {
  /** 1 % of the difference where absent. */
  readonly floor: number | undefined;
  readonly onFloor: (floor: Ns | undefined) => void;
}

/** Below which a difference is noise: 1 % of the whole one, or from nothing to 100 µs in steps that grow. */
function NoiseFloor({ floor, onFloor }: NoiseFloorProps) {
  const clock = useClock();
  const at = floor === undefined ? 0 : 1 + STEPS_NS.findLastIndex((step) => step <= floor);
  return (
    <label className={styles.floor}>
      <span className={styles.name}>noise floor</span>
      <input
        type="range"
        min={0}
        max={STEPS_NS.length}
        value={at}
        aria-valuetext={floorText(floor, clock)}
        onChange={({ target }) => {
          const step = STEPS_NS[Number(target.value) - 1];
          onFloor(step === undefined ? undefined : ns(step));
        }}
      />
      <output className={styles.value}>{floorText(floor, clock)}</output>
    </label>
  );
}

function floorText(floor: number | undefined, clock: Clock): string {
  if (floor === undefined) return '1\u202f%';
  if (floor === 0) return 'none';
  if (clock.isCounting) return clock.exact(ns(floor));
  const unit = unitOf(ns(floor));
  return exactText(ns(floor), unit);
}
