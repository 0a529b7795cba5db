import type { LatencyCase, Stage } from '../../api/latencyTypes';

/** One bar of the waterfall: where it lies in the whole case, both as shares of it. */
export interface PlacedStage extends Stage {
  /** 0..1 from the case's start. */
  readonly offset: number;
  /** 0..1 of the case. */
  readonly share: number;
  readonly isWidest: boolean;
}

/** The stages on the time scale of their case, in order; only the first of the widest is marked. */
export function placeStages({ stages, duration_ns }: Pick<LatencyCase, 'stages' | 'duration_ns'>): {
  readonly placed: readonly PlacedStage[];
  readonly sum: number;
} {
  const whole = Math.max(1, duration_ns);
  const widest = stages.reduce((most, { duration_ns: one }) => Math.max(most, one), 0);
  const first = stages.findIndex((stage) => stage.duration_ns === widest);
  let sum = 0;
  const placed = stages.map((stage, index): PlacedStage => {
    // Stages follow each other without gaps, so their own sum says where each one begins.
    const offset = sum / whole;
    sum += stage.duration_ns;
    return { ...stage, offset, share: stage.duration_ns / whole, isWidest: index === first };
  });
  return { placed, sum };
}
