import type { ReactNode } from 'react';
import { groupDigits } from '../../lib/ns';
import styles from './Toolbar.module.css';
import { useOverflow } from './useOverflow';

interface ToolbarProps {
  /** On a screen wider than a tablet. Kept free from the start, since much of it arrives with the answer or is added. */
  readonly rows?: 1 | 2;
  /** What arrives is sure to fill the width of a tablet, so that the tools begin behind it. */
  readonly isLong?: boolean;
  /** On a tablet, the choices take the whole width, and the tools are below them. */
  readonly isWide?: boolean;
  /** All of it is there at once, so that it wraps on a phone, too, and hides nothing. */
  readonly wraps?: boolean;
  /** What has its place at the right, whatever comes or goes beside it. */
  readonly tools?: ReactNode;
  /** Further choices: with two rows, the second is theirs, over the whole width, and scrolls. */
  readonly second?: ReactNode;
  readonly children: ReactNode;
}

/** The bar of switches above a plot; wraps on narrow screens. A second row, and on a phone all of it, scrolls instead, with a button where there is more. */
export function Toolbar(props: ToolbarProps) {
  const { rows = 1, isLong = false, isWide = false, wraps = false } = props;
  const { tools, second, children } = props;
  const [whole, attachWhole] = useScroll();
  const [row, attachRow] = useScroll();
  return (
    <div className={`${styles.frame} ${styles.scroll}`} {...whole.sides}>
      <div
        className={styles.toolbar}
        data-rows={rows}
        data-long={isLong}
        data-wide={isWide}
        data-wraps={wraps}
        ref={attachWhole}
      >
        <div className={styles.choices}>
          <div className={styles.first}>{children}</div>
          {second ? (
            <div className={`${styles.row} ${styles.scroll}`} {...row.sides}>
              <div className={styles.second} ref={attachRow}>
                {second}
              </div>
              {row.buttons}
            </div>
          ) : null}
        </div>
        {tools ? <div className={styles.tools}>{tools}</div> : null}
      </div>
      {whole.buttons}
    </div>
  );
}

/** On which sides a row holds more than it shows, with a button there, and the callback that is the row's `ref`. */
function useScroll() {
  const [more, attach, scroll] = useOverflow();
  const parts = {
    sides: { 'data-before': more.before, 'data-after': more.after },
    buttons: (
      <>
        {more.before ? <MoreButton side="before" onClick={() => scroll(-1)} /> : null}
        {more.after ? <MoreButton side="after" onClick={() => scroll(1)} /> : null}
      </>
    ),
  };
  return [parts, attach] as const;
}

interface MoreButtonProps {
  readonly side: 'before' | 'after';
  readonly onClick: () => void;
}

/** Only for the pointer: the keyboard scrolls the switch in focus into sight. */
function MoreButton({ side, onClick }: MoreButtonProps) {
  return (
    <button
      type="button"
      className={styles.more}
      data-side={side}
      tabIndex={-1}
      aria-hidden
      onClick={onClick}
    >
      {side === 'before' ? '‹' : '›'}
    </button>
  );
}

interface SwitchGroupProps {
  readonly name: string;
  readonly children: ReactNode;
}

export function SwitchGroup({ name, children }: SwitchGroupProps) {
  return (
    <span className={styles.group} role="group" aria-label={name}>
      <span className={styles.quiet}>{name}</span>
      {children}
    </span>
  );
}

interface SwitchProps {
  readonly isOn: boolean;
  /** What it means, on hover. */
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

export function Switch({ isOn, title, onClick, children }: SwitchProps) {
  return (
    <button type="button" className={styles.switch} aria-pressed={isOn} title={title} onClick={onClick}>
      {children}
    </button>
  );
}

interface ScaleSwitchProps {
  readonly scale: 'log' | 'linear';
  readonly onScale: (scale: 'log' | 'linear') => void;
}

/** How an axis of durations is divided. */
export function ScaleSwitch({ scale, onScale }: ScaleSwitchProps) {
  return (
    <SwitchGroup name="scale">
      {(['log', 'linear'] as const).map((one) => (
        <Switch key={one} isOn={scale === one} onClick={() => onScale(one)}>
          {one}
        </Switch>
      ))}
    </SwitchGroup>
  );
}

interface CpuSwitchesProps {
  readonly cpus: readonly number[];
  /** None named means all. */
  readonly shown: readonly number[];
  readonly onShown: (cpus: readonly number[]) => void;
}

/** Up to this many CPUs have a switch each; more are named in a list. */
const MOST_SWITCHES = 8;

/** Which CPUs are shown. */
export function CpuSwitches({ cpus, shown, onShown }: CpuSwitchesProps) {
  if (cpus.length < 2) return null;
  if (cpus.length > MOST_SWITCHES) return <CpuList cpus={cpus} shown={shown} onShown={onShown} />;
  const all = shown.length === 0 ? cpus : shown;
  const toggle = (cpu: number) => {
    const next = all.includes(cpu) ? all.filter((other) => other !== cpu) : [...all, cpu];
    // The last one cannot be switched off, and all of them is what no choice means.
    onShown(next.length === 0 || next.length === cpus.length ? [] : next.toSorted((a, b) => a - b));
  };
  return (
    <SwitchGroup name="CPU">
      {cpus.map((cpu) => (
        <Switch key={cpu} isOn={all.includes(cpu)} onClick={() => toggle(cpu)}>
          {cpu}
        </Switch>
      ))}
    </SwitchGroup>
  );
}

/** For machines with many CPUs: names such as `0-3,8`; empty shows all. */
function CpuList({ cpus, shown, onShown }: CpuSwitchesProps) {
  return (
    <label className={styles.group}>
      <span className={styles.quiet}>CPU</span>
      <input
        key={shown.join(',')}
        className={styles.list}
        defaultValue={shown.join(',')}
        placeholder={`all ${groupDigits(cpus.length)}`}
        aria-label="CPUs to show, such as 0-3,8"
        onBlur={(event) => onShown(parseCpuList(event.target.value, cpus))}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </label>
  );
}

/** The existing CPUs among those that `0-3,8` names; an unreadable text means all, which is no choice. */
export function parseCpuList(text: string, cpus: readonly number[]): readonly number[] {
  const ranges = text.split(',').flatMap((part) => {
    const [, low, high] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    return low === undefined ? [] : [{ low: Number(low), high: Number(high ?? low) }];
  });
  const named = cpus.filter((cpu) => ranges.some(({ low, high }) => low <= cpu && cpu <= high));
  return named.length === cpus.length ? [] : named;
}
