import { choiceField, rangeField, type Field } from './fields';
import { viewSpec } from './viewSpec';

/** One case: the stretches that its ruler and lanes and its calls show, which events are listed, and what is lit. */
export const caseState = viewSpec({
  window: rangeField(),
  calls: rangeField(),
  events: choiceField<'all' | 'relevant'>(['all', 'relevant']),
  /** The stage or the link of the chain that was picked. */
  lit: litField(),
});

/** `stage-3`, `link-2`, `link-2.1`, as the page of a case counts them. */
function litField(): Field<string> {
  return {
    fallback: '',
    parse: (text) => (/^(?:stage|link)-\d{1,3}(?:\.\d{1,3}){0,8}$/.test(text) ? text : undefined),
    print: (id) => id,
    wants: 'a stage or link such as link-2',
  };
}
