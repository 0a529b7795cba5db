import type { components } from './generated';

type Schemas = components['schemas'];

/** The shapes of the answers about a comparison by the names that the page uses. */
export type DiffAnswer = Schemas['Diff'];
export type DiffSide = Schemas['DiffSide'];
export type DiffColumns = Schemas['DiffRows'];
export type DiffGuard = Schemas['DiffGuard'];
export type Contribution = Schemas['DiffContribution'];
export type DiffSet = Schemas['DiffSet'];
