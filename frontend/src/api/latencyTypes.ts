import type { components } from './generated';

type Schemas = components['schemas'];

/** The shapes of the latency endpoints' answers by the names that the page uses. */

export type LatencyItem = Schemas['LatencyItem'];
export type LatencyKind = Schemas['LatencyKindAnswer'];
export type LatencyTask = Schemas['LatencyTask'];
export type LatencyTasks = Schemas['LatencyTasks'];
export type PriorityClass = NonNullable<LatencyTask['priority_class']>;
export type LatencyGroup = Schemas['LatencyGroup'];
export type LatencyStats = Schemas['LatencyStats'];
export type LatencySeries = Schemas['LatencySeries'];

export type LatencyCase = Schemas['LatencyCase'];
export type Blame = Schemas['CaseBlame'];
export type CasePart = Schemas['CasePart'];
export type CaseStack = Schemas['CaseStack'];
export type CaseEvent = Schemas['CaseEvent'];
export type Interference = Schemas['Interference'];
export type InterferenceShare = Schemas['CauseTime'];
