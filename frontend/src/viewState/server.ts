import { viewSpec } from './viewSpec';

/** The page about the server has no state of its own. */
export const serverState = viewSpec({});
