import { createContext, useContext } from 'react';
import { clockOf, type Clock } from '../../lib/clock';

/** Set by the pages of one trace; what is of several is in time. */
export const ClockContext = createContext<Clock>(clockOf('ns'));

/** How the times of the trace are said that the page is about. */
export const useClock = (): Clock => useContext(ClockContext);
