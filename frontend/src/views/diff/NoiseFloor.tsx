import { exactIn, ns, unitOf, type Ns } from '../../lib/ns';
import styles from './NoiseFloor.module.css';

const STEPS_NS = [0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000] as const;

interface NoiseFloorProps {
  readonly floor: number;
  readonly onFloor: (floor: Ns | undefined) => void;
}

/** Below which a difference is noise: from nothing to 100 µs in steps that grow. */
export function NoiseFloor({ floor, onFloor }: NoiseFloorProps) {
  const at = STEPS_NS.findLastIndex((step) => step <= floor);
  return (
    <label className={styles.floor}>
      <span className={styles.name}>noise floor</span>
      <input
        type="range"
        min={0}
        max={STEPS_NS.length - 1}
        value={at}
        aria-valuetext={floorText(floor)}
        onChange={({ target }) => {
          const step = STEPS_NS[Number(target.value)] ?? 0;
          onFloor(step === 0 ? undefined : ns(step));
        }}
      />
      <output className={styles.value}>{floorText(floor)}</output>
    </label>
  );
}

function floorText(floor: number): string {
  if (floor === 0) return 'none';
  const unit = unitOf(ns(floor));
  return `${exactIn(ns(floor), unit)}\u202f${unit}`;
}
