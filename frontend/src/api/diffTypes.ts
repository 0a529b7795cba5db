import type { components } from './generated';

type Schemas = components['schemas'];

/** The shapes of the answers about a comparison by the names that the page uses. */
export type DiffAnswer = Schemas['Diff'];
export type DiffSide = Schemas['DiffSide'];
export type DiffRows = Schemas['DiffRows'];
export type DiffColumns = Schemas['DiffColumns'];
export type DiffGuard = Schemas['DiffGuard'];
export type Contribution = Schemas['DiffContribution'];
export type DiffSet = Schemas['DiffSet'];

/** Something of each side. What differs is abnormal minus normal. */
export interface Sides<T> {
  readonly abnormal: T;
  readonly normal: T;
}

export type SideName = keyof Sides<unknown>;

export const SIDE_NAMES = ['abnormal', 'normal'] as const satisfies readonly SideName[];
