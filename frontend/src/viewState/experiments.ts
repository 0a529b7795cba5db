import { choiceField, textField } from './fields';
import { viewSpec } from './viewSpec';

/** What is saved: which of it is listed, and what is searched for. */
export const experimentsState = viewSpec({
  show: choiceField<'comparisons' | 'baselines'>(['comparisons', 'baselines']),
  q: textField(),
});
