import {
  columnSeconds,
  durationText,
  exactNs,
  fixedSeconds,
  groupDigits,
  rangeText,
  readable,
  type Ns,
} from './ns';
import { stampText } from './stamp';

/** How the times of one recording are said. Those of a clock that only counts have no unit: nobody knows how long a step is. */
export interface Clock {
  readonly isCounting: boolean;
  /** As people say it. */
  readonly duration: (length: Ns) => string;
  /** The same where others around it say what is counted. */
  readonly brief: (length: Ns) => string;
  /** With every digit. */
  readonly exact: (length: Ns) => string;
  /** Counted from the first record, with every digit. */
  readonly instant: (t: Ns) => string;
  readonly range: (start: Ns, end: Ns) => string;
  /** In a column of instants, or before a length: their unit is said there. */
  readonly column: (t: Ns) => string;
  /** As the file has it. */
  readonly stamp: (originNs: string, t: Ns) => string;
}

/** That of nearly every trace, and of what is about several. */
export const TIME: Clock = {
  isCounting: false,
  duration: durationText,
  brief: durationText,
  exact: exactNs,
  instant: fixedSeconds,
  range: rangeText,
  column: (t) => readable(columnSeconds(t)),
  stamp: stampText,
};

const stepsText = (steps: Ns) => `${groupDigits(steps)} clock ${Math.abs(steps) === 1 ? 'tick' : 'ticks'}`;

const STEPS: Clock = {
  isCounting: true,
  duration: stepsText,
  brief: groupDigits,
  exact: stepsText,
  instant: groupDigits,
  range: (start, end) => `${groupDigits(start)} to ${groupDigits(end)}`,
  column: groupDigits,
  stamp: (originNs, t) => (BigInt(originNs) + BigInt(t)).toString(),
};

/** The clock of a trace of this unit; one that says nothing has time. */
export const clockOf = (unit: string | null | undefined): Clock => (unit === 'ticks' ? STEPS : TIME);
