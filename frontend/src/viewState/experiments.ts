import { textField } from './fields';
import { viewSpec } from './viewSpec';

/** The list of saved comparisons: what is searched for. */
export const experimentsState = viewSpec({ q: textField() });
