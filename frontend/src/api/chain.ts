import type { components } from './generated';

type Schemas = components['schemas'];

/** Links of a chain as `why` of a case has them; docs/why.md says what each mechanism means. */
export type ChainLink = Schemas['CaseLink'];

/** The same thing elsewhere around the case; a rank of 1 is the longest. */
export type ChainNormal = Schemas['LinkNormal'];

/** What usually helps against a mechanism; docs/advice.md has the whole table. */
export type CaseAdvice = Schemas['CaseAdvice'];

/** A command line that records what a chain lacks. */
export type RecordNext = Schemas['RecordNext'];
