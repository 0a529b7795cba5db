import type { components } from './generated';

type Schemas = components['schemas'];

/** The shapes of the answers by the names that the page uses; all of them come from the API's own description. */
export type Trace = Schemas['TraceAnswer'];
export type Warning = Schemas['TraceWarning'];
export type WarningLine = Schemas['DiagnosticLineAnswer'];
export type EventField = Schemas['EventFieldItem'];
export type EventType = Schemas['EventTypeItem'];
export type SelectionOutcome = Schemas['SelectionOutcome'];
export type SelectionSize = Schemas['SelectionSize'];
export type FunctionStat = Schemas['FunctionItem'];

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
