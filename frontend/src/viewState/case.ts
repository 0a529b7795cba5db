import { choiceField, rangeField } from './fields';
import { viewSpec } from './viewSpec';

/** One case: the stretch around it that its small timeline shows, and which events are listed. */
export const caseState = viewSpec({
  window: rangeField(),
  events: choiceField<'all' | 'relevant'>(['all', 'relevant']),
});
