import { viewSpec } from './viewSpec';

/** A page of documentation: its name is in the path, and its section in the hash. */
export const helpState = viewSpec({});
