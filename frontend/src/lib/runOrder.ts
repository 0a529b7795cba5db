/** In the order of the names of runs: no name of a label has a colon. */
export const BY_NAME = ':name';

/** Whether runs are placed by the values of a label. */
export const isByLabel = (by: string) => by !== '' && by !== BY_NAME;
