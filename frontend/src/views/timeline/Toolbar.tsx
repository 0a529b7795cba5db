import type { ReactNode } from 'react';
import { Button } from '../../components/button/Button';
import { spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import { Duration } from '../../components/Quantity';
import { exactIn, ns } from '../../lib/ns';
import type { LaneKind } from '../../viewState/timeline';
import styles from './Toolbar.module.css';

interface ToolbarProps {
  readonly window: TimeWindow;
  readonly cpus: readonly number[];
  readonly shownCpus: readonly number[];
  readonly kinds: readonly LaneKind[];
  readonly hidden: readonly LaneKind[];
  readonly dragging: 'pan' | 'area';
  readonly isLoading: boolean;
  readonly onCpus: (cpus: readonly number[]) => void;
  readonly onHidden: (kinds: readonly LaneKind[]) => void;
  readonly onDragging: (dragging: 'pan' | 'area') => void;
  readonly onFit: () => void;
  readonly onTable: () => void;
  readonly onPicture: (format: 'png' | 'svg') => void;
  readonly eventsShown: boolean;
  readonly onEvents: () => void;
}

const KIND_NAMES: Record<LaneKind, string> = {
  sched: 'running',
  irq: 'irq',
  softirq: 'softirq',
  idle: 'idle',
  counter: 'counters',
};

/** Up to this many CPUs have a switch each; more are chosen from a list. */
const MOST_SWITCHES = 8;

/** Above the lanes: what is in sight, which lanes are shown, what dragging does, and the ways out. */
export function Toolbar(props: ToolbarProps) {
  const { window, cpus, shownCpus, kinds, hidden } = props;
  const toggleKind = (kind: LaneKind) =>
    props.onHidden(hidden.includes(kind) ? hidden.filter((other) => other !== kind) : [...hidden, kind]);
  const toggleCpu = (cpu: number) => {
    const all = shownCpus.length === 0 ? cpus : shownCpus;
    const next = all.includes(cpu)
      ? all.filter((other) => other !== cpu)
      : [...all, cpu].toSorted((a, b) => a - b);
    // The last one cannot be switched off, and all of them is what no choice means.
    props.onCpus(next.length === 0 || next.length === cpus.length ? [] : next);
  };
  return (
    <div className={styles.toolbar}>
      <span className={styles.window} data-testid="window" title="Start and length of what is in sight">
        {exactIn(ns(Math.round(window.start)), 's')}
        <span className={styles.unit}>{'\u202fs +\u202f'}</span>
        <Duration value={ns(Math.round(spanOf(window)))} />
        <span className={styles.loading} aria-live="polite">
          {props.isLoading ? 'loading …' : ''}
        </span>
      </span>
      <Group name="Lanes">
        {kinds.map((kind) => (
          <Switch key={kind} on={!hidden.includes(kind)} onClick={() => toggleKind(kind)}>
            {KIND_NAMES[kind]}
          </Switch>
        ))}
      </Group>
      {cpus.length > 1 && cpus.length <= MOST_SWITCHES && (
        <Group name="CPU">
          {cpus.map((cpu) => (
            <Switch
              key={cpu}
              on={shownCpus.length === 0 || shownCpus.includes(cpu)}
              onClick={() => toggleCpu(cpu)}
            >
              {cpu}
            </Switch>
          ))}
        </Group>
      )}
      {cpus.length > MOST_SWITCHES && <CpuList cpus={cpus} shown={shownCpus} onCpus={props.onCpus} />}
      <span className={styles.gap} />
      <Group name="Drag">
        <Switch on={props.dragging === 'pan'} onClick={() => props.onDragging('pan')}>
          pans
        </Switch>
        <Switch on={props.dragging === 'area'} onClick={() => props.onDragging('area')}>
          selects
        </Switch>
      </Group>
      <span className={styles.ways}>
        <Button look="bare" label="Show the whole trace, or the selection (F)" onClick={props.onFit}>
          Fit
        </Button>
        <Button look="bare" label="What the lanes show, as a table" onClick={props.onTable}>
          Table
        </Button>
        <Button look="bare" label="Save the lanes as a PNG picture" onClick={() => props.onPicture('png')}>
          PNG
        </Button>
        <Button look="bare" label="Save the lanes as an SVG picture" onClick={() => props.onPicture('svg')}>
          SVG
        </Button>
        <Button
          look="bare"
          label="Show or hide the events (E)"
          pressed={props.eventsShown}
          onClick={props.onEvents}
        >
          Events
        </Button>
      </span>
    </div>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <span className={styles.group} role="group" aria-label={name}>
      <span className={styles.unit}>{name}</span>
      {children}
    </span>
  );
}

interface SwitchProps {
  readonly on: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Switch({ on, onClick, children }: SwitchProps) {
  return (
    <button type="button" className={styles.switch} aria-pressed={on} onClick={onClick}>
      {children}
    </button>
  );
}

interface CpuListProps {
  readonly cpus: readonly number[];
  readonly shown: readonly number[];
  readonly onCpus: (cpus: readonly number[]) => void;
}

/** For machines with many CPUs: names such as `0-3,8`; empty shows all. */
function CpuList({ cpus, shown, onCpus }: CpuListProps) {
  return (
    <label className={styles.group}>
      <span className={styles.unit}>CPU</span>
      <input
        key={shown.join(',')}
        className={styles.list}
        defaultValue={shown.join(',')}
        placeholder={`all ${cpus.length}`}
        aria-label="CPUs to show, such as 0-3,8"
        onBlur={(event) => onCpus(parseCpuList(event.target.value, cpus))}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </label>
  );
}

/** The CPUs that `0-3,8` names, as far as they exist; nothing readable means all. */
export function parseCpuList(text: string, cpus: readonly number[]): readonly number[] {
  const named = new Set<number>();
  for (const part of text.split(',')) {
    const [, low, high] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    if (low === undefined) continue;
    for (const cpu of cpus) if (cpu >= Number(low) && cpu <= Number(high ?? low)) named.add(cpu);
  }
  return named.size === cpus.length ? [] : cpus.filter((cpu) => named.has(cpu));
}
